import { getService } from '#contract/service/service.ts';
import { usualSettings } from '#contract/service/settings.ts';
import { makeMember } from '../../factories.ts';
import { plainPng } from '../../pictures.ts';
import { permitted, type Row } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** The newest version of the service, which a change has to name. */
async function newest({ test }: Scene): Promise<number> {
  const { token } = await makeMember(test, { staffRole: 'owner' });
  return (await test.call(getService, { token })).body.data.version;
}

/** A valid request for every endpoint of the service's own page. */
export const serviceRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /admin/service': () => ({}),
  'PUT /admin/service': async (scene) => ({ body: { version: await newest(scene), settings: usualSettings } }),
  'POST /admin/service/back': async (scene) => ({ body: { version: await newest(scene), back: 0 } }),
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
  'POST /admin/service/pictures/{kind}': { cells: permitted('service.edit', 201) },
};
