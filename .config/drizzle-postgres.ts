// After a change of src/store/postgres/schema.ts: npx drizzle-kit generate --config .config/drizzle-postgres.ts --name WHAT_CHANGED
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/store/postgres/schema.ts',
  out: './src/store/postgres/migrations',
});
