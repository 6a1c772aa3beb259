import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartError } from './start-error.ts';

interface Address {
  host: string;
  port: number;
}

/** Refuses, with a `StartError`, an address that cannot be listened on, before anything long is begun. */
export async function checkAddress({ host, port }: Address): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      reject(inWords(error, { host, port }));
    });
    probe.listen({ host, port }, () => {
      probe.close(() => {
        resolve();
      });
    });
  });
}

/** Lets `app` answer on the address, or refuses as `checkAddress`. */
export async function listen(app: FastifyInstance, address: Address): Promise<void> {
  try {
    await app.listen({ host: address.host, port: address.port });
  } catch (error) {
    throw inWords(error as Error, address);
  }
}

function inWords(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const { code } = error;
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is taken: stop what uses it, or set PORT to a free one.`);
  if (code === 'EACCES')
    return new StartError(`Port ${port} on ${host} is not allowed to this user: set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`HOST ${host} is no address of this machine.`);
  return error;
}
