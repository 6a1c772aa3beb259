import { msg } from '@lingui/core/runtime-macro';
import { interests, promptKeys } from '#contract/profiles/interests.ts';
import type { Lists } from '#contract/service/lists.ts';
import type { Deps } from '../../deps.ts';
import { invalid } from '../http/app-error.ts';

/** The choices that members have; the names are those of the entry kinds in the settings. */
type Kind = 'interest' | 'prompt';

const shipped: Record<Kind, readonly string[]> = { interest: interests, prompt: promptKeys };

/** The keys that the owner lists, or else the product's own. */
function listed({ interests: groups, prompts }: Lists, kind: Kind): readonly string[] {
  const own = kind === 'prompt' ? prompts : groups?.flatMap(({ entries }) => entries);
  return own?.map(({ key }) => key) ?? shipped[kind];
}

/** Whether a key is or was offered by the owner or the product, so that people may have chosen it. */
function wasOffered(lists: Lists, kind: Kind, key: string): boolean {
  const isGone = () => lists.gone.some((entry) => entry.kind === kind && entry.key === key);
  return listed(lists, kind).includes(key) || shipped[kind].includes(key) || isGone();
}

type Choice = [field: string, key: string];

const unoffered = (field: string) => invalid(field, msg`This can't be chosen here`);

/** Throws 400 at the field of the first choice that is neither offered now nor among those made before. */
export function requireOffered(
  { service }: Pick<Deps, 'service'>,
  kind: Kind,
  choices: readonly Choice[],
  before: readonly string[] = [],
): void {
  const { lists } = service.now().settings;
  const wrong = choices.find(([, key]) => !before.includes(key) && !listed(lists, kind).includes(key));
  if (wrong !== undefined) throw unoffered(wrong[0]);
}

/** Throws 400 at the field of the first searched interest that no one can have chosen. */
export function requireFindable({ service }: Pick<Deps, 'service'>, choices: readonly Choice[]): void {
  const { lists } = service.now().settings;
  const wrong = choices.find(([, key]) => !wasOffered(lists, 'interest', key));
  if (wrong !== undefined) throw unoffered(wrong[0]);
}

/** The new lists together with the owner's entries that they drop, so that earlier choices keep their words. */
export function keepingGone(before: Lists, next: Lists): Lists {
  const all = [
    ...next.gone,
    ...(before.interests ?? []).flatMap(({ entries }) =>
      entries.map((entry) => ({ ...entry, kind: 'interest' as const })),
    ),
    ...(before.prompts ?? []).map((entry) => ({ ...entry, kind: 'prompt' as const })),
    ...before.gone,
  ];
  const left = all.filter(({ kind, key }) => !listed(next, kind).includes(key) && !shipped[kind].includes(key));
  return { ...next, gone: [...new Map(left.map((entry) => [`${entry.kind} ${entry.key}`, entry])).values()] };
}
