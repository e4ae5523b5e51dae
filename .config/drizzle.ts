// After a change of src/store/schema.ts:
//     npx drizzle-kit generate --config .config/drizzle.ts --name WHAT_CHANGED
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/store/schema.ts',
  out: './src/store/sqlite/migrations',
});
