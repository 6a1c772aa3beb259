import Fastify from 'fastify';
import pg from 'pg';

// A separate process with a Fastify route that only does one select by primary key: what other calls are compared with.
const [, , connectionString = ''] = process.argv;
const pool = new pg.Pool({ connectionString, max: 20 });
const { rows: ids } = await pool.query<{ id: string }>('select account_id as id from profile limit 1');
const app = Fastify();
app.get('/bare', async () => {
  const text = 'select * from profile where account_id = $1';
  const { rows } = await pool.query<object>({ name: 'bare', text, values: [ids[0]?.id] });
  return rows[0];
});
process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }));
process.on('disconnect', () => process.exit(0));
