import { changeService, getService } from '#contract/service/service.ts';
import { allParts, type Parts } from '#contract/service/parts.ts';
import { makeMember } from './factories.ts';
import type { TestApp } from './harness.ts';

/** Switches parts of the service as its owner does; unnamed parts are on. */
export async function switchParts(app: TestApp, parts: Partial<Parts>): Promise<void> {
  const { token } = await makeMember(app, { staffRole: 'owner' });
  const { version, settings } = (await app.call(getService, { token })).body.data;
  const body = { version, settings: { ...settings, parts: { ...allParts, ...parts } } };
  const { status } = await app.call(changeService, { token, body });
  if (status !== 200) throw new Error(`the parts were not switched: ${status}`);
}
