import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedDatabase } from '../../launcher/embedded-database/embedded-database.ts';
import { createProduct } from '../../server/test/proofs/product.ts';
import { compareDevices, openChats, writeAll } from './chats.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { figure, type Proof } from './proof.ts';

const pairs = 10;
/** One message in this many has a photo, so that no one reaches the limit of a day. */
const photoEvery = 25;
const demoMembers = '100';
/** The pause between two messages of a person, long enough that all cuts and kills happen while people write. */
const writeEveryMs = [60, 180] as const;
const cutEveryMs = [80, 300] as const;
const killEveryMs = [1000, 4000] as const;
const downMs = [200, 1500] as const;

/** Cuts connections and kills processes while people write to each other through two processes. */
export const messages: Proof = {
  name: 'messages',
  about: '300 cut connections and kill -9 of two processes behind one address, over 10,000 messages, some with photos',
  async run({ short, random, folder, say }) {
    const [each, wantedCuts, wantedKills] = short ? [50, 20, 2] : [500, 300, 10];
    const database = await startEmbeddedDatabase({ dataDir: join(folder, 'database'), log: pino({ level: 'warn' }) });
    const env = { DATABASE_URL: database.url, MEDIA_DIR: join(folder, 'media') };
    const products = [
      await createProduct(join(folder, 'first'), env),
      await createProduct(join(folder, 'second'), env),
    ];
    const pool = new pg.Pool({ connectionString: database.url });
    try {
      for (const product of products) await product.start({ SEED: 'demo', SEED_MEMBERS: demoMembers });
      const proxy = await startCuttingProxy(
        products.map(({ origin }) => Number(new URL(origin).port)),
        random,
      );
      const chats = await openChats(pool, proxy.origin, pairs);
      const state = { isWriting: true };
      let kills = 0;
      const cutting = (async () => {
        for (; state.isWriting; proxy.cut()) await pause(random.between(...cutEveryMs));
      })();
      const killing = (async () => {
        for (; state.isWriting && kills < wantedKills; kills += 1) {
          await pause(random.between(...killEveryMs));
          const product = products[kills % products.length];
          await product?.end('SIGKILL');
          await pause(random.between(...downMs));
          say(`kill ${kills + 1}: ready again after ${Math.round((await product?.start()) ?? 0)} ms`);
        }
      })();
      const sent = await writeAll(chats, { each, photoEvery, pauseMs: () => random.between(...writeEveryMs) });
      state.isWriting = false;
      await Promise.all([cutting, killing]);
      say(`${chats.length * 2 * each} acknowledged, sent ${sent} times`);
      await Promise.all(chats.flatMap(({ devices }) => devices.map((device) => device.catchUp())));
      const { written, lost, doubled, ghosts, others } = compareDevices(chats);
      for (const device of chats.flatMap(({ devices }) => devices)) device.close();
      proxy.close();
      return [
        figure(
          `46 No message lost or duplicated (${proxy.cuts()} cuts, ${kills} kills)`,
          `${written} written: ${lost} lost, ${doubled} duplicated, ${ghosts} never sent`,
          lost + doubled + ghosts === 0 && proxy.cuts() >= wantedCuts,
        ),
        figure('46 The same order on both sides and on a second device', `${others} differ`, others === 0),
      ];
    } finally {
      await pool.end();
      for (const product of products) await product.clear();
      await database.stop();
    }
  },
};
