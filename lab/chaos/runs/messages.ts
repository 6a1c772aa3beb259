import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDb } from '../../../server/src/platform/db/db.ts';
import { createPool } from '../../../server/src/platform/db/pool.ts';
import { startEmbeddedDatabase } from '../../../launcher/embedded-database/embedded-database.ts';
import { createLog } from '../../../server/src/platform/process/log.ts';
import { compareDevices, openChats, type Chat } from '../chats.ts';
import { startCuttingProxy } from '../cutting-proxy.ts';
import { createProduct, type Product } from '../product.ts';
import { figure, type Figure, type Proof, type Stage } from '../proof.ts';

const pairs = 10;
const demoMembers = '100';
/** The pause between two messages of a person, long enough that all cuts and kills happen during writing. */
const writeEveryMs = [60, 180] as const;
const cutEveryMs = [80, 300] as const;
const downMs = [200, 1500] as const;

/** Cuts connections and kills processes while people write to each other through two of them. */
export const messages: Proof = {
  name: 'messages',
  about: '200 cut connections and kill -9 of two processes behind one address, over 10,000 messages',
  async run({ short, random, folder, say }) {
    const each = short ? 50 : 500;
    const [wantedCuts, wantedKills] = short ? [20, 2] : [200, 10];
    const database = await startEmbeddedDatabase({ dataDir: join(folder, 'database'), log: createLog('warn') });
    const env = { DATABASE_URL: database.url, MEDIA_DIR: join(folder, 'media') };
    const products = [
      await createProduct(folder, { ...env, SEED: 'demo', SEED_MEMBERS: demoMembers }),
      await createProduct(folder, env),
    ];
    const pool = createPool(database.url);
    const writing = new Set(['writers']);
    try {
      for (const product of products) await product.start();
      const proxy = await startCuttingProxy(products.map(portOf), random);
      const chats = await openChats(createDb(pool), proxy.origin, pairs);
      let sent = 0;
      const written = chats.flatMap(({ devices, written: tags }, chat) =>
        devices.slice(0, 2).map(async (device, who) => {
          for (let number = 1; number <= each; number += 1) {
            const text = `chat ${chat} writer ${who} message ${number}`;
            tags.add(text);
            await pause(random.between(...writeEveryMs));
            const times = await device.write(text);
            sent += times;
          }
        }),
      );
      const cutting = (async () => {
        while (writing.size > 0) {
          await pause(random.between(...cutEveryMs));
          proxy.cut();
        }
      })();
      const kills = killInTurn(products, () => writing.size > 0, wantedKills, { random, say });
      await Promise.all(written);
      writing.clear();
      say(`${chats.length * 2 * each} acknowledged, sent ${sent} times; ${proxy.cuts()} connections cut so far`);
      const [killed] = await Promise.all([kills, cutting]);
      await Promise.all(chats.flatMap(({ devices }) => devices.map((device) => device.catchUp())));
      const figures = judge(chats, proxy.cuts() >= wantedCuts, `${proxy.cuts()} cuts, ${killed} kills`);
      for (const { devices } of chats) for (const device of devices) device.close();
      proxy.close();
      return figures;
    } finally {
      writing.clear();
      await pool.end();
      for (const product of products) await product.clear();
      await database.stop();
    }
  },
};

const portOf = ({ origin }: Product) => Number(new URL(origin).port);

/** Kills and restarts one process after the other during writing. */
async function killInTurn(
  products: Product[],
  isWriting: () => boolean,
  most: number,
  { random, say }: Pick<Stage, 'random' | 'say'>,
): Promise<number> {
  let killed = 0;
  while (isWriting() && killed < most) {
    await pause(random.between(1000, 4000));
    const product = products[killed % products.length];
    if (product === undefined) break;
    await product.end('SIGKILL');
    await pause(random.between(...downMs));
    const readyMs = await product.start({ SEED: 'none' });
    killed += 1;
    say(`kill ${killed}: ready again after ${Math.round(readyMs)} ms`);
  }
  return killed;
}

function judge(chats: Chat[], areCutsEnough: boolean, means: string): Figure[] {
  const { written, lost, doubled, ghosts, others } = compareDevices(chats);
  return [
    figure(
      `46 No message lost or duplicated (${means})`,
      `${written} written: ${lost} lost, ${doubled} duplicated, ${ghosts} never sent`,
      lost + doubled + ghosts === 0 && areCutsEnough,
    ),
    figure('46 The same order on both sides and on a second device', `${others} differ`, others === 0),
  ];
}
