/** What a backup or a restore is doing. */
export interface KeepProgress {
  step: 'counting' | 'copying' | 'writing' | 'reading back' | 'checking' | 'putting in place';
  /** Share of this step that is done, 0 to 1; null where that cannot be told. */
  done: number | null;
}

export type OnProgress = (progress: KeepProgress) => void;

/** Adds up bytes and tells their share of `total`. */
export function share(
  onProgress: OnProgress,
  step: KeepProgress['step'],
  total: number,
): (bytes: number) => void {
  let done = 0;
  return (bytes) => {
    done += bytes;
    onProgress({ step, done: Math.min(1, done / Math.max(1, total)) });
  };
}
