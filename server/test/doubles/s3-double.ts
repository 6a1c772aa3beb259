import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faultOf, type S3Keys } from './s3-signature.ts';

export interface StoredObject {
  bytes: Buffer;
  type: string | undefined;
  cacheControl: string | undefined;
}

/** A local S3-like store with one bucket, addressed by path. */
export interface S3Double {
  endpoint: string;
  bucket: string;
  keys: S3Keys;
  /** The environment that points `readConfig` to it. */
  environment: Record<string, string>;
  objects: Map<string, StoredObject>;
  /** Every received request, such as `PUT key`, with its status. */
  requests: string[];
  /** How far its clock is ahead, in milliseconds. */
  aheadMs: number;
  /** Answers the next requests for matching keys with this status without doing anything. */
  fail(status: number, times: number, keys?: RegExp): void;
  /** Never answers the next requests. */
  hang(times: number): void;
  /** Answers no request for an object until as many are waiting. */
  gather(count: number): void;
  /** Stores the content of the next requests for matching keys, but cuts their connections instead of answering. */
  loseAnswers(times: number, keys: RegExp): void;
  /** If set, returns the keys of each page of a list, none of which is the last page. */
  pages: ((after: string) => string[]) | null;
  /** The largest number of simultaneous requests. */
  mostAtOnce: number;
  /** Stops listening and closes open connections. */
  goDown(): Promise<void>;
  /** Listens on the same port again. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const keys: S3Keys = { region: 'eu-test-1', accessKeyId: 'DOUBLEKEY', secretAccessKey: 'the/secret+of=the double' };
const bucket = 'pictures';

/** Starts the double on a free port; requests without a valid signature get a 403. */
export async function startS3Double(): Promise<S3Double> {
  const objects: S3Double['objects'] = new Map();
  const requests: string[] = [];
  let failure = { status: 0, times: 0, keys: /./ };
  let hanging = 0;
  let gathering = { count: 0, waiting: 0, all: Promise.withResolvers<void>() };
  let loss = { times: 0, keys: /./ };
  let running = 0;

  const server = createServer((request, response) => {
    running += 1;
    double.mostAtOnce = Math.max(double.mostAtOnce, running);
    answer(request, response)
      .catch(() => response.destroy())
      .finally(() => (running -= 1));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '' } = request;
    const key = decodeURIComponent(new URL(target, double.endpoint).pathname).replace(/^\//, '');
    const body = Buffer.concat(await request.toArray());
    if (hanging > 0) {
      hanging -= 1;
      return;
    }
    const name = key === bucket ? '' : key.startsWith(`${bucket}/`) ? key.slice(bucket.length + 1) : null;
    // The requests for lists must come one at a time.
    if (name !== '') {
      gathering.waiting += 1;
      if (gathering.waiting === gathering.count) gathering.all.resolve();
      else if (gathering.waiting < gathering.count) await gathering.all.promise;
    }
    const [status, code] = judge({ method, target, headers: request.headers as Record<string, string>, body }, name);
    requests.push(`${method} ${name ?? key} ${status}`);
    if (code !== null) return refuse(response, status, code);
    const isList = name === '';
    const { type, cacheControl, bytes } = isList ? list(target) : act(method, name ?? '', body, request);
    if (loss.times > 0 && loss.keys.test(name ?? '')) {
      loss.times -= 1;
      throw new Error('the answer is lost');
    }
    if (type !== undefined) response.setHeader('content-type', type);
    if (cacheControl !== undefined) response.setHeader('cache-control', cacheControl);
    response.writeHead(status, { 'content-length': bytes.length }).end(method === 'HEAD' ? undefined : bytes);
  }

  function judge(request: Parameters<typeof faultOf>[0], name: string | null): [number, string | null] {
    const fault = faultOf(request, keys, new Date(Date.now() + double.aheadMs));
    if (fault !== null) return [fault === 'XAmzContentSHA256Mismatch' ? 400 : 403, fault];
    if (name === null) return [404, 'NoSuchBucket'];
    if (failure.times > 0 && failure.keys.test(name)) {
      failure.times -= 1;
      return [failure.status, 'InternalError'];
    }
    if (request.method === 'PUT') return [200, null];
    if (request.method === 'DELETE') return [204, null];
    if (request.method !== 'GET' && request.method !== 'HEAD') return [405, 'MethodNotAllowed'];
    return name === '' || objects.has(name) ? [200, null] : [404, 'NoSuchKey'];
  }

  /** A page of ListObjectsV2, which has at most 1,000 keys. */
  function list(target: string): StoredObject {
    const asked = new URL(target, double.endpoint).searchParams;
    const [prefix, after] = [asked.get('prefix') ?? '', asked.get('start-after') ?? ''];
    const found = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const contents = (double.pages?.(after) ?? found.slice(0, 1000)).map(
      (key) => `<Contents><Key>${key}</Key></Contents>`,
    );
    const isTruncated = double.pages !== null || found.length > 1000;
    const page = `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}</ListBucketResult>`;
    return { bytes: Buffer.from(page), type: 'application/xml', cacheControl: undefined };
  }

  function act(method: string, name: string, body: Buffer, { headers }: IncomingMessage): StoredObject {
    const nothing = { bytes: Buffer.alloc(0), type: undefined, cacheControl: undefined };
    if (method === 'PUT')
      objects.set(name, { bytes: body, type: headers['content-type'], cacheControl: headers['cache-control'] });
    else if (method === 'DELETE') objects.delete(name);
    else return objects.get(name) ?? nothing;
    return nothing;
  }

  const listenAt = (port: number) =>
    new Promise<void>((listening) => {
      server.listen(port, '127.0.0.1', () => {
        listening();
      });
    });
  const goDown = () =>
    new Promise<void>((closed) => {
      server.close(() => {
        closed();
      });
      server.closeAllConnections();
    });
  await listenAt(0);
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const double: S3Double = {
    endpoint,
    bucket,
    keys,
    environment: {
      STORAGE: 's3',
      S3_ENDPOINT: endpoint,
      S3_REGION: keys.region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
      S3_FORCE_PATH_STYLE: 'true',
    },
    objects,
    requests,
    aheadMs: 0,
    fail: (status, times, about = /./) => {
      failure = { status, times, keys: about };
    },
    hang: (times) => {
      hanging = times;
    },
    gather: (count) => {
      gathering = { count, waiting: 0, all: Promise.withResolvers() };
    },
    loseAnswers: (times, about) => {
      loss = { times, keys: about };
    },
    pages: null,
    mostAtOnce: 0,
    goDown,
    comeBack: () => listenAt(port),
    close: async () => {
      if (server.listening) await goDown();
    },
  };
  return double;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>no</Message></Error>`);
}
