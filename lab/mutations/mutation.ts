/** One small change to the product that breaks a rule, and the tests that should notice. */
export interface Mutation {
  /** What the broken product does, as the end of the sentence "The product …". */
  name: string;
  kind: 'server rule' | 'access check' | 'screen';
  file: string;
  /** Text that occurs exactly once in `file`. */
  find: string;
  replace: string;
  /** Test files, or folders of them. */
  tests: string[];
}

/** A mutation in the list of its kind. */
export type ListedMutation = Omit<Mutation, 'kind'>;

/** Reads a file of the project; null if it doesn't exist. */
export type ReadFile = (path: string) => string | null;

/** Why a mutation can't be applied to the files that `read` returns, as the end of a sentence; null if it can. */
export function obstacleOf({ file, find, tests }: Mutation, read: ReadFile, exists: (path: string) => boolean) {
  const lost = tests.filter((path) => !exists(path));
  if (lost.length > 0) return `its tests ${lost.join(', ')} no longer exist — adapt it`;
  const text = read(file);
  if (text === null) return `${file} no longer exists — adapt it`;
  const count = text.split(find).length - 1;
  if (count === 0) return `its text is no longer in ${file} — adapt it`;
  return count > 1 ? `its text occurs ${count} times in ${file} — adapt it` : null;
}

/** The file's text with the mutation. */
export const applyTo = (text: string, { find, replace }: Mutation): string => text.split(find).join(replace);
