/** What a program that a test starts finds in its environment: nothing that sets anything up, but that servers are ready at once. */
export const bareEnvironment = (): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  NO_COLOR: '1',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  BONAFIDE_WARM_UP: '0s',
});
