import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';

/** The keys of the page of one report. */
export const reportKeys: KeyList = [
  ['r', 'Reply'],
  ['e', 'Mark resolved'],
  ['u', 'Undo, while it is offered'],
  ['?', 'Show these keys'],
];

/** The keys of the list. */
export const reportListKeys: KeyList = [
  ['j', 'Next report'],
  ['k', 'Previous report'],
  ['Enter', 'Open the report'],
  ['/', 'Search'],
  ...reportKeys,
];
