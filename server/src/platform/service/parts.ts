import { msg } from '@lingui/core/runtime-macro';
import type { PartName } from '#contract/service/parts.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../http/app-error.ts';

/** Whether the owner has switched a part of the service on. */
export const isOn = ({ service }: Pick<Deps, 'service'>, part: PartName): boolean => service.now().settings.parts[part];

/**
 * Throws 404 while the owner has the part switched off. Whole endpoints name their part in the contract; this is for calls that only
 * sometimes belong to one.
 */
export function requirePart(deps: Pick<Deps, 'service'>, part: PartName): void {
  if (!isOn(deps, part)) throw new AppError('PART_OFF', msg`This isn't offered here at the moment.`);
}
