import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { sendMessage } from '#contract/messages/messages.ts';
import { startRedisDouble } from '../../../test/doubles/redis-double.ts';
import { makeMember } from '../../../test/factories.ts';
import { startApp } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { anotherProcess, connect, listenTo } from '../../../test/sockets.ts';

const within = { timeout: 60_000, interval: 20 };

/** Two processes that share a Redis on `port`, and a member on each. */
async function startTwo(port: number) {
  const env = { REDIS_URL: `redis://127.0.0.1:${port}` };
  const app = await startApp(env);
  await listenTo(app);
  const there = await anotherProcess(app, env);
  const [ada, bo] = [await makeMember(app), await makeMember(app)];
  const id = await likesIn(() => app).match(ada, bo);
  const device = await connect(there.url, bo.token);
  onTestFinished(async () => {
    device.socket.disconnect();
    await there.close();
    await app.close();
  });
  return {
    logged: (text: string) => app.logLines().split(text).length - 1,
    async isDown() {
      const { body } = await app.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
      return /^redis_down (\d)$/m.exec(body)?.[1] === '1';
    },
    /** Whether a message to the member in the other process arrives there. */
    async arrives(text: string) {
      await app.call(sendMessage, { token: ada.token, params: { id }, body: { clientId: randomUUID(), text } });
      const isHeard = () => device.heard.some((event) => event.kind === 'message' && event.message.text === text);
      await expect.poll(isHeard, within).toBe(true);
    },
  };
}

it('sends live messages through the database while Redis is down, and returns to Redis', async () => {
  const first = await startRedisDouble();
  const { port } = first;
  const { arrives, isDown, logged } = await startTwo(port);
  await expect.poll(first.readers, within).toBe(2);
  await arrives('Through Redis');
  expect(first.count()).toBeGreaterThan(0);

  await first.stop();
  await expect.poll(isDown, within).toBe(true);
  await arrives('Through the database');
  expect(logged('Redis is down; until it is back, live events go through the database')).toBe(1);

  const second = await startRedisDouble(port);
  onTestFinished(() => second.stop());
  await expect.poll(isDown, within).toBe(false);
  await expect.poll(second.readers, within).toBe(2);
  await arrives('Through the new Redis');
  expect(second.count()).toBeGreaterThan(0);
  expect(logged('Redis is back')).toBe(1);
});

it('starts without Redis, and uses it once it runs', async () => {
  const never = await startRedisDouble();
  const { port } = never;
  await never.stop();
  const { arrives, isDown } = await startTwo(port);
  await arrives('Through the database');
  const redis = await startRedisDouble(port);
  onTestFinished(() => redis.stop());
  await expect.poll(isDown, within).toBe(false);
  await expect.poll(redis.readers, within).toBe(2);
  await arrives('Through Redis');
  expect(redis.count()).toBeGreaterThan(0);
});
