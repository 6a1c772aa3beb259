import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import { askForExport, exportOwnData } from '#contract/takeout.ts';
import type { JobHelpers } from 'graphile-worker';
import { diskStorage, type Storage } from '../media/storage/storage.ts';
import type { Deps } from '../../deps.ts';
import { createReads } from '#platform/db/replicas.ts';
import { createLog } from '#platform/process/log.ts';
import { createMediaAddresses, createPictureViews } from '#platform/session/pictures.ts';
import { takeoutJobs } from './takeout.ts';
import { hashPassword } from '../auth/password/hashing.ts';
import { makeMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { bareUpload } from '../../../test/pictures.ts';

const password = 'correct horse battery';
const pictures = 9;
const pictureBytes = 3_000_000;
const messages = 5000;
const mostBytes = 30_000_000;
/** Memory is measured each time this many parts of a megabyte were read. */
const sampledEvery = 3;

const app = startAppForTests();

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const inUse = () => {
  collect();
  // Garbage buffers are freed by another thread; the next collection waits for that.
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

it(
  `a data export with ${messages} messages and ${pictures} large pictures needs at most 30 MB of additional memory`,
  { timeout: 180_000 },
  async () => {
    const { match } = likesIn(() => app);
    const member = await makeMember(app, { passwordHash: await hashPassword(password) });
    const conversation = await match(member, await makeMember(app));
    await app.pool.query(
      `insert into message (conversation_id, seq, sender_id, client_id, body, sent_at)
     select $1, n, $2, 'client-' || n, repeat('words ', 200), now() - make_interval(secs => $3 - n) from generate_series(1, $3) n`,
      [conversation, member.id, messages],
    );
    await app.db.deleteFrom('picture').where('account_id', '=', member.id).execute();
    const storage = diskStorage(app.mediaDir);
    for (let place = 0; place < pictures; place += 1) {
      const key = randomBytes(16).toString('base64url');
      const upload = bareUpload(`handle-${place}`, key, app.clock.now());
      await app.db
        .insertInto('picture')
        .values({
          ...upload,
          account_id: member.id,
          state: 'approved',
          place,
          claimed_at: app.clock.now(),
          decided_at: app.clock.now(),
        })
        .execute();
      await storage.put(`${key}.large`, randomBytes(pictureBytes));
    }
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
    const token = member.token;
    await app.call(askForExport, { token, body: { password } });

    const before = inUse();
    const samples: number[] = [];
    let put = 0;
    const watched: Storage = {
      ...storage,
      put: async (key, bytes) => {
        // Collecting the garbage of all earlier tests takes a while.
        if (put % sampledEvery === 0) samples.push(inUse() - before);
        put += 1;
        await storage.put(key, bytes);
      },
    };
    const { id } = await app.db.selectFrom('data_export').select('id').executeTakeFirstOrThrow();
    const deps = {
      db: app.db,
      reads: createReads(app, [], { preparedStatements: true, log: createLog('silent') }),
      clock: app.clock,
      storage: watched,
      pictures: createPictureViews(createMediaAddresses('secret', url), false),
    } as Partial<Deps> as Deps;
    const prepare = takeoutJobs.find(({ name }) => name === 'takeout.prepare');
    await prepare?.run(deps, { id }, { job: { attempts: 1, max_attempts: 8 } } as JobHelpers);
    const stored = samples.length;
    expect(stored).toBeGreaterThan(3);

    const answer = await fetch(`${url}${apiBasePath}${exportOwnData.path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const parts: Uint8Array[] = [];
    let received = 0;
    let sampled = 0;
    for await (const part of answer.body as ReadableStream<Uint8Array>) {
      received += part.length;
      // Copies the bytes, because a part may keep the whole buffer alive into which it was read.
      parts.push(part.slice());
      // The received bytes belong to the client.
      if (received - sampled < sampledEvery * 1_000_000) continue;
      sampled = received;
      samples.push(inUse() - before - received);
    }
    expect(samples.length).toBeGreaterThan(stored + 5);
    expect(Math.max(...samples)).toBeLessThan(mostBytes);
    const files = unzipSync(new Uint8Array(Buffer.concat(parts)));
    expect(Object.keys(files).filter((name) => name.startsWith('pictures/'))).toHaveLength(pictures);
    const written = JSON.parse(new TextDecoder().decode(files['messages.json'])) as unknown[];
    expect(written).toHaveLength(messages);
  },
);
