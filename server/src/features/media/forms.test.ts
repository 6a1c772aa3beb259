import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import { uploadPicture } from '#contract/media.ts';
import { selfieShots } from '#contract/photo-verification.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { draw, sendFile } from '../../../test/pictures.ts';

const test = startAppForTests();
let member: TestMember;
beforeAll(async () => {
  member = await makeMember(test);
});

describe('an upload request', () => {
  const url = `/api/v1${uploadPicture.path}`;
  const authorization = () => `Bearer ${member.token}`;

  it.each([
    ['JSON', { 'content-type': 'application/json' }, '{"file":"x"}', 415],
    ['a request without a body', {}, undefined, 415],
    ['a form without its boundary', { 'content-type': 'multipart/form-data' }, 'x', 400],
    [
      'a form that never ends',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
    ],
    [
      'a form without a file',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nabc\r\n--x--\r\n',
      400,
    ],
  ])('is rejected with a message: %s', async (_what, headers, payload, status) => {
    const answer = await test.app.inject({
      method: 'POST',
      url,
      headers: { ...headers, authorization: authorization() },
      ...(payload === undefined ? {} : { payload }),
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json<{ message: string }>().message).toMatch(/\w/);
  });

  it('is rejected if the picture is in another field', async () => {
    expect((await sendFile(test, member, { bytes: await draw(), field: 'picture' })).status).toBe(400);
  });

  it('is not read before the sender is authenticated', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: 'x',
    });
    expect(answer.statusCode).toBe(401);
  });

  it.each([
    ['a picture', uploadPicture.path],
    ['a photo in a chat', '/matches/{id}/media?kind=picture'],
    ['a voice note', '/matches/{id}/media?kind=voice'],
    ['a selfie', `/photo-verification/{id}/${selfieShots[0]}`],
  ])('is rejected before it arrives if it claims to be too large: %s', async (_what, path) => {
    const claim = () =>
      test.app.inject({
        method: 'POST',
        url: apiBasePath + path.replace('{id}', randomUUID()),
        headers: {
          'content-type': 'multipart/form-data; boundary=XX',
          'content-length': '99999999',
          authorization: authorization(),
        },
        payload: new PassThrough(),
      });
    const answers = await Promise.all(Array.from({ length: 4 }, claim));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([413, 413, 413, 413]);
  });

  it('is rejected by calls that take no file', async () => {
    const answer = await test.app.inject({
      method: 'PUT',
      url: '/api/v1/auth/edit-profile',
      headers: { 'content-type': 'multipart/form-data; boundary=x', authorization: authorization() },
      payload: '--x\r\ncontent-disposition: form-data; name="bio"\r\n\r\nabc\r\n--x--\r\n',
    });
    expect(answer.statusCode).toBe(415);
  });
});
