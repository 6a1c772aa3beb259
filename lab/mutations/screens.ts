import type { ListedMutation } from './mutation.ts';

/** What screens do for the people in front of them. */
export const screens: ListedMutation[] = [
  {
    name: "hides a person although the decision on them couldn't be saved",
    file: 'web/src/features/connections/decisions.ts',
    find: "? 'refused' : 'failed';",
    replace: "? 'refused' : 'refused';",
    tests: ['web/src/member/discover/DiscoverPage.deciding.test.tsx'],
  },
  {
    name: "offers no second try when a list couldn't be loaded",
    file: 'web/src/ui/feedback/PageStates.tsx',
    find: '{onRetry && !isOffline && (',
    replace: '{onRetry && isOffline && (',
    tests: ['web/src/member/people/MatchesPage.test.tsx'],
  },
  {
    name: 'shows an empty page instead of what will appear there',
    file: 'web/src/ui/feedback/PageStates.tsx',
    find: '<Text fz="1.05rem">{text}</Text>',
    replace: '',
    tests: ['web/src/member/people/MatchesPage.test.tsx'],
  },
  {
    name: 'loses the focus when a dialog closes',
    file: 'web/src/ui/feedback/Dialog.tsx',
    find: 'setTimeout(() => focusNear(opener));',
    replace: '',
    tests: ['web/src/ui/feedback/Dialog.test.tsx'],
  },
  {
    name: 'leaves the page on Back instead of closing what is open over it',
    file: 'web/src/ui/feedback/use-back-closes.ts',
    find: 'void navigate({ pathname, search, hash }, { state: overlaid, preventScrollReset: true });',
    replace: '',
    tests: ['web/src/member/discover/DiscoverPage.deciding.test.tsx'],
  },
  {
    name: 'takes letters for shortcuts while someone is typing',
    file: 'web/src/ui/keyboard/shortcuts.tsx',
    find: 'hasModifier || isTyping',
    replace: 'hasModifier',
    tests: ['web/src/admin/reports/ReportsPage.keys.test.tsx'],
  },
  {
    name: 'forgets what was typed when the page is reloaded',
    file: 'web/src/ui/form/drafts.ts',
    find: 'sessionStorage.setItem(prefix + name, JSON.stringify(typed));',
    replace: '',
    tests: ['web/src/member/support/NewReportPage.test.tsx'],
  },
  {
    name: 'shows no message at a field that was filled in wrongly',
    file: 'web/src/ui/form/use-form.ts',
    find: 'return error === undefined ? undefined : t(error);',
    replace: 'return undefined;',
    tests: ['web/src/member/support/NewReportPage.test.tsx'],
  },
  {
    name: 'animates cards for people who prefer less motion',
    file: 'web/src/features/discovery/deck/swipe.ts',
    find: "matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms",
    replace: 'ms',
    tests: ['web/src/member/discover/DiscoverPage.swipe.test.tsx'],
  },
  {
    name: 'deletes a report before it is confirmed',
    file: 'web/src/ui/feedback/Dialog.tsx',
    find: 'onConfirm, onClose, ...texts }: ConfirmDialogProps) {',
    replace: 'onConfirm, onClose, ...texts }: ConfirmDialogProps) {\n  useEffect(() => onConfirm(), []);',
    tests: ['web/src/admin/reports/ReportPage.commands.test.tsx'],
  },
];
