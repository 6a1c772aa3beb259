import { createPool } from '/work/main/server/src/platform/db.ts';
const pool = createPool(process.argv[2]!, {max: 5});
const t = async (name: string, text: string, n=40) => { const times=[]; for (let i=0;i<n;i++){const s=performance.now(); await pool.query(text); times.push(performance.now()-s);} times.sort((a,b)=>a-b); console.log(name.padEnd(34), 'min', times[0]!.toFixed(1), 'q1', times[n>>2]!.toFixed(1), 'median', times[n>>1]!.toFixed(1)); };
for (const w of ['webmail.test','mail.test','maria']) {
await t(w+' count strpos', `select count(*) from (select from directory d where strpos(d.search_text, '${w}') > 0 limit 10001) h`);
await t(w+' count strpos C', `select count(*) from (select from directory d where strpos(d.search_text collate "C", '${w}') > 0 limit 10001) h`);
await t(w+' count like C', `select count(*) from (select from directory d where (d.search_text collate "C") || '' like '%${w}%' limit 10001) h`);
await t(w+' count like cast', `select count(*) from (select from directory d where d.search_text::text collate "C" like '%${w}%' limit 10001) h`);
await t(w+' heap strpos', `select count(*) from (select from directory d where strpos(d.search_text, '${w}') > 0 and d.city is distinct from '-' limit 10001) h`);
await t(w+' count pos bytea', `select count(*) from (select from directory d where position(convert_to('${w}','UTF8') in d.search_text::bytea) > 0 limit 10001) h`);
}
await t('count all', `select count(*) from (select from directory d where length(search_text) > 0 limit 80000) h`);
await t('gin maria', `select count(*) from (select from directory d where d.search_text like '%maria%' limit 10001) h`);
await t('gin maria all', `select count(*) from (select from directory d where d.search_text like '%maria%') h`);
await t('gin nightbus', `select count(*) from (select from directory d where d.search_text like '%nightbus%') h`);
await pool.end();
