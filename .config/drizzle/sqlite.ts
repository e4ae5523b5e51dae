// After a change of src/store/schema.ts:
//     npm run migration -- --config .config/drizzle/sqlite.ts --name WHAT_CHANGED

export default {
  dialect: 'sqlite',
  schema: './src/store/schema.ts',
  out: './src/store/sqlite/migrations',
};
