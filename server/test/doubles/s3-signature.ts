import { createHash, createHmac } from 'node:crypto';

export interface S3Keys {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** A received request: the target of its first line, header names in lower case. */
export interface SignedRequest {
  method: string;
  target: string;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

interface Claim {
  credential: string;
  signedHeaders: string[];
  signature: string;
  date: string;
  payload: string;
}

const algorithm = 'AWS4-HMAC-SHA256';
const minute = 60_000;
const digest = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Percent-encoding for signatures: everything but letters, digits and `-._~`. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The S3 error code for a request, or null if it is signed correctly: AWS Signature Version 4 in the header or, with an
 * expiry, in the query. Source: "Authenticating Requests" of the Amazon S3 API reference.
 */
export function faultOf(request: SignedRequest, keys: S3Keys, now: Date): string | null {
  const [path = '', query = ''] = request.target.split('?', 2);
  const asked = new Map([...new URLSearchParams(query)]);
  const claim = asked.has('X-Amz-Signature') ? claimInQuery(asked) : claimInHeader(request.headers);
  if (claim === null) return 'AccessDenied';
  const { credential, signedHeaders, date, payload } = claim;
  const scope = [date.slice(0, 8), keys.region, 's3', 'aws4_request'].join('/');
  if (credential.split('/')[0] !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (credential !== `${keys.accessKeyId}/${scope}`) return 'AuthorizationHeaderMalformed';
  const unsigned = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-') || name === 'host');
  if (unsigned.some((name) => !signedHeaders.includes(name))) return 'AccessDenied';
  const canonical = [
    request.method,
    path
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    [...asked]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => [encoded(name), encoded(value)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map((pair) => pair.join('='))
      .join('&'),
    ...signedHeaders.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    payload,
  ].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(mac, `AWS4${keys.secretAccessKey}`);
  const expected = mac(key, [algorithm, date, scope, digest(canonical)].join('\n')).toString('hex');
  if (claim.signature !== expected) return 'SignatureDoesNotMatch';
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== digest(request.body)) return 'XAmzContentSHA256Mismatch';
  return faultOfTime(momentOf(date), asked.get('X-Amz-Expires'), now);
}

function claimInHeader(headers: SignedRequest['headers']): Claim | null {
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    headers['authorization'] ?? '',
  );
  const [date, payload] = [headers['x-amz-date'], headers['x-amz-content-sha256']];
  if (found === null || date === undefined || payload === undefined) return null;
  const [, credential = '', signedHeaders = '', signature = ''] = found;
  return { credential, signedHeaders: signedHeaders.split(';'), signature, date, payload };
}

function claimInQuery(asked: Map<string, string>): Claim | null {
  const value = (name: string) => asked.get(`X-Amz-${name}`) ?? '';
  if (value('Algorithm') !== algorithm || !/^[1-9]\d{0,5}$/.test(value('Expires'))) return null;
  return {
    credential: value('Credential'),
    signedHeaders: value('SignedHeaders').split(';'),
    signature: value('Signature'),
    date: value('Date'),
    payload: 'UNSIGNED-PAYLOAD',
  };
}

/** Parses a date such as `20130524T000000Z` to milliseconds. */
const momentOf = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

function faultOfTime(signedAt: number, seconds: string | undefined, now: Date): string | null {
  if (seconds !== undefined && now.getTime() > signedAt + Number(seconds) * 1000) return 'AccessDenied';
  const isNear = Math.abs(now.getTime() - signedAt) <= 15 * minute;
  return isNear || (seconds !== undefined && now.getTime() > signedAt) ? null : 'RequestTimeTooSkewed';
}
