import { makeInvitation } from '#contract/service/invitations.ts';
import { getService } from '#contract/service/service.ts';
import { usualSettings } from '#contract/service/settings.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import { listTextVersions, publishText } from '#contract/service/texts.ts';
import { makeMember } from '../../factories.ts';
import { plainPng } from '../../pictures.ts';
import { everyone, permitted, type Row, signedIn } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** The newest version of the service, which a change must name. */
async function newest({ test }: Scene): Promise<number> {
  const { token } = await makeMember(test, { staffRole: 'owner' });
  return (await test.call(getService, { token })).body.data.version;
}

async function newestText({ test }: Scene, kind: TextKind = 'safety'): Promise<string | null> {
  const { token } = await makeMember(test, { staffRole: 'owner' });
  const { versions } = (await test.call(listTextVersions, { token, params: { kind } })).body.data;
  return versions[0]?.version ?? null;
}

/** Publishes FAQs unless there are some. */
async function publishSome(scene: Scene): Promise<void> {
  if ((await newestText(scene, 'faq')) !== null) return;
  const { token } = await makeMember(scene.test, { staffRole: 'owner' });
  const body = { known: null, language: 'en' as const, bodies: { en: '## One\n\nText' }, asksAgain: false };
  await scene.test.call(publishText, { token, params: { kind: 'faq' }, body });
}

/** A new invitation link. */
async function invitationIn({ test }: Scene): Promise<string> {
  const { token } = await makeMember(test, { staffRole: 'owner' });
  await test.call(makeInvitation, { token, body: { note: '', most: 1, days: 1 } });
  const { id } = await test.db
    .selectFrom('invitation')
    .select('id')
    .where('revoked_at', 'is', null)
    .orderBy('made_at', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}

/** A valid request for every endpoint of the page Service. */
export const serviceRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /admin/service': () => ({}),
  'PUT /admin/service': async (scene) => ({ body: { version: await newest(scene), settings: usualSettings } }),
  'POST /admin/service/back': async (scene) => ({ body: { version: await newest(scene), back: 0 } }),
  'GET /admin/service/texts/{kind}': () => ({ params: { kind: 'safety' } }),
  'POST /admin/service/texts/preview': () => ({ body: { body: '## One\n\nText' } }),
  'POST /admin/service/texts/{kind}': async (scene) => ({
    params: { kind: 'safety' },
    body: { known: await newestText(scene), language: null, bodies: {}, asksAgain: false },
  }),
  'GET /texts/{kind}': async (scene) => {
    await publishSome(scene);
    return { params: { kind: 'faq' }, query: { language: 'en' } };
  },
  'GET /banner': () => ({}),
  'GET /lists': () => ({}),
  'GET /figures': () => ({}),
  'GET /admin/invitations': () => ({}),
  'POST /admin/invitations': () => ({ body: { note: 'For the choir', most: 5, days: 7 } }),
  'DELETE /admin/invitations/{id}': async (scene) => ({ params: { id: await invitationIn(scene) } }),
  'POST /admin/service/pictures/{kind}': () => ({
    params: { kind: 'icon' },
    file: { bytes: plainPng(256, 256), name: 'icon.png', type: 'image/png' },
  }),
};

/** Who may call them: administrators and owners. */
export const serviceRows: Record<string, Row> = {
  'GET /admin/service': { cells: permitted('service.edit', 200) },
  'PUT /admin/service': { cells: permitted('service.edit', 200) },
  'POST /admin/service/back': { cells: permitted('service.edit', 200) },
  'GET /admin/service/texts/{kind}': { cells: permitted('service.edit', 200) },
  'POST /admin/service/texts/preview': { cells: permitted('service.edit', 200) },
  'POST /admin/service/texts/{kind}': { cells: permitted('service.edit', 200) },
  'GET /texts/{kind}': { cells: everyone(200) },
  'GET /banner': { cells: signedIn(200) },
  'GET /lists': { cells: everyone(200) },
  'GET /figures': { cells: signedIn(200) },
  'GET /admin/invitations': { cells: permitted('service.edit', 200) },
  'POST /admin/invitations': { cells: permitted('service.edit', 201) },
  'DELETE /admin/invitations/{id}': { cells: permitted('service.edit', 200) },
  'POST /admin/service/pictures/{kind}': { cells: permitted('service.edit', 201) },
};
