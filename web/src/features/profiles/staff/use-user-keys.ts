import { msg, t } from '@lingui/core/macro';
import type { RefObject } from 'react';
import { type useCurrentRow, useRowKeys } from '../../../ui/data/table/use-row-keys.ts';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { usePageActions, useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';

/** The keyboard shortcuts in the list of users. */
export const userListKeys: KeyList = [
  ['j', msg`Next user`],
  ['k', msg`Previous user`],
  ['Enter', msg`Open the user`],
  ['x', msg`Select the user for a bulk action`],
  ['Esc', msg`Stop selecting`],
  ['/', msg`Search`],
  ['Ctrl K', msg`Search and commands`],
  ['?', msg`Show these keys`],
];

interface UserKeys {
  rows: ReturnType<typeof useCurrentRow>;
  search: RefObject<HTMLInputElement | null>;
  onOpen: (id: string) => void;
  /** Null if the viewer can't do anything with selected users. */
  onSelect: ((id: string) => void) | null;
  /** Null unless users are being selected. */
  onLeave: (() => void) | null;
}

/** The keyboard shortcuts of the list of users. Esc stops selecting if nothing else handles it. */
export function useUserKeys({ rows, search, onOpen, onSelect, onLeave }: UserKeys): void {
  const { currentId } = rows;
  useRowKeys(rows, onOpen, { '/': () => search.current?.focus() });
  usePageActions(
    currentId === null || onSelect === null
      ? []
      : [{ key: 'x', text: t`Select or unselect the marked user`, run: () => onSelect(currentId) }],
  );
  const leave = () => {
    onLeave?.();
    return onLeave !== null;
  };
  useSingleKeys({ Escape: leave }, { isFallback: true });
}
