import { accessChecks } from './access-checks.ts';
import type { ListedMutation, Mutation } from './mutation.ts';
import { screens } from './screens.ts';
import { serverRules } from './server-rules.ts';

const ofKind = (kind: Mutation['kind'], list: ListedMutation[]): Mutation[] => list.map((each) => ({ ...each, kind }));

/** All mutations; their numbers begin with one. */
export const mutations: Mutation[] = [
  ...ofKind('server rule', serverRules),
  ...ofKind('access check', accessChecks),
  ...ofKind('screen', screens),
];
