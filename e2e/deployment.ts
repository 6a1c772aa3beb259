import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server behind a proxy that can also serve the next version of the web app: the same files under new names. */
export interface Deployment {
  url: string;
  /** Switches to the next version and removes the files of the previous one. */
  deploy(): void;
  close(): Promise<void>;
}

const isText = (type: unknown) => /javascript|html|css/.test(String(type));
const fileName = /(assets\/|\.\/)([\w.-]+\.(?:js|css))/g;
const version = /(["'`])([0-9a-f]{12})\1/;
const mark = 'next-';

/** Removes headers that describe the original bytes, which the proxy changes. */
function plain(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const spoken = [
    'accept-encoding',
    'if-none-match',
    'if-modified-since',
    'etag',
    'content-length',
    'transfer-encoding',
  ];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !spoken.includes(name)));
}

/** A file of the web app as in the next version: with new file names and, in the service worker, a new version. */
function renamed(text: string): string {
  return text.replaceAll(fileName, `$1${mark}$2`).replace(version, `$1${mark}$2$1`);
}

/** Starts a proxy that can deploy a new version of the server at `url`. */
export async function openDeployment(url: string): Promise<Deployment> {
  let isNext = false;

  const server = createServer((asked, answer) => {
    const path = asked.url ?? '/';
    const isGone = path.startsWith('/assets/') && path.startsWith(`/assets/${mark}`) !== isNext;
    if (isGone) return void answer.writeHead(404).end();
    const target = new URL(path.replace(mark, ''), url);
    const forwarded = request(target, { method: asked.method, headers: plain(asked.headers) }, (answered) => {
      const parts: Buffer[] = [];
      answered.on('data', (part: Buffer) => parts.push(part));
      answered.on('end', () => {
        const body = Buffer.concat(parts);
        const isChanged = isNext && isText(answered.headers['content-type']);
        answer.writeHead(answered.statusCode ?? 500, plain(answered.headers));
        answer.end(isChanged ? renamed(body.toString()) : body);
      });
    });
    forwarded.on('error', () => answer.destroy());
    asked.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    deploy: () => {
      isNext = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
