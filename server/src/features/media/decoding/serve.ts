import { setPriority } from 'node:os';

/** Makes this child process answer each upload that its parent sends with what `decodeOne` makes of it; see `decode.ts`. */
export function serveParent(decodeOne: (upload: Buffer) => Promise<unknown>): void {
  // Ignores signals that a service manager or terminal sends to the whole process group, so that uploads in progress are answered.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  // The parent has ended: the channel is closed, or what is sent causes an error. A regular exit would wait for the decoder's threads.
  for (const end of ['disconnect', 'error']) process.on(end, () => process.kill(process.pid, 'SIGKILL'));
  process.on('message', (upload: Buffer) => void decodeOne(upload).then((outcome) => process.send?.(outcome)));
  // Requests have priority: two uploads could keep all processors of a small machine busy.
  setPriority(5);
  process.send?.('ready');
}
