import { describe, expect, it } from 'vitest';
import { faultOf, type SignedRequest } from './s3-signature.ts';

// The worked examples of the Amazon S3 API reference, "Authenticating Requests".
const keys = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const now = new Date('2013-05-24T00:00:00Z');
const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function signed(signature: string, changes: Partial<SignedRequest>, names: string, digest = emptyDigest) {
  return {
    method: 'GET',
    target: '/test.txt',
    body: Buffer.alloc(0),
    ...changes,
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-date': '20130524T000000Z',
      'x-amz-content-sha256': digest,
      authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`,
      ...changes.headers,
    },
  };
}

const names = 'host;range;x-amz-content-sha256;x-amz-date';
const partial = signed(
  'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  { headers: { range: 'bytes=0-9' } },
  names,
);
const upload = signed(
  '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  {
    method: 'PUT',
    target: '/test$file.text',
    body: Buffer.from('Welcome to Amazon S3.'),
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
  },
  'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
  '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
);
const lifecycle = signed(
  'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  { target: '/?lifecycle' },
  'host;x-amz-content-sha256;x-amz-date',
);
const inAddress: SignedRequest = {
  method: 'GET',
  target:
    '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host: 'examplebucket.s3.amazonaws.com' },
  body: Buffer.alloc(0),
};

describe('the S3 double', () => {
  it.each([
    ['the first bytes of an object', partial],
    ['an upload', upload],
    ['a bucket setting', lifecycle],
    ['a presigned URL', inAddress],
  ])('accepts the published signature for %s', (_what, request) => {
    expect(faultOf(request, keys, now)).toBeNull();
  });

  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  it.each<[string, SignedRequest, Date, string]>([
    ['without a signature', { ...partial, headers: { host: 'x' } }, now, 'AccessDenied'],
    ['for another object', { ...partial, target: '/other.txt' }, now, 'SignatureDoesNotMatch'],
    ['with another method', { ...partial, method: 'DELETE' }, now, 'SignatureDoesNotMatch'],
    ['with other bytes', { ...upload, body: Buffer.from('Welcome') }, now, 'XAmzContentSHA256Mismatch'],
    [
      'with an additional header that is not signed',
      { ...partial, headers: { ...partial.headers, 'x-amz-acl': 'public-read' } },
      now,
      'AccessDenied',
    ],
    ['that arrives late', partial, later(16 * 60), 'RequestTimeTooSkewed'],
    [
      'by a URL with an extended validity',
      { ...inAddress, target: inAddress.target.replace('86400', '96400') },
      now,
      'SignatureDoesNotMatch',
    ],
    ['by an expired URL', inAddress, later(86_401), 'AccessDenied'],
  ])('refuses a request %s', (_what, request, at, fault) => {
    expect(faultOf(request, keys, at)).toBe(fault);
  });

  it.each([
    [{ secretAccessKey: 'another' }, 'SignatureDoesNotMatch'],
    [{ accessKeyId: 'ANOTHER' }, 'InvalidAccessKeyId'],
    [{ region: 'eu-west-1' }, 'AuthorizationHeaderMalformed'],
  ])('refuses a request that is not signed with the keys %j', (other, fault) => {
    expect(faultOf(partial, { ...keys, ...other }, now)).toBe(fault);
  });
});
