import { lazyPart } from '../../ui/loading/lazy-page.tsx';

/** The full profile below a card. */
export const memberAbout = lazyPart(() =>
  import('../../features/profiles/view/MemberDetails.tsx').then((module) => module.MemberAbout),
);

/** Why a person is shown. */
export const whyDialog = lazyPart(() =>
  import('../../features/discovery/deck/WhyDialog.tsx').then((module) => module.WhyDialog),
);

/** A like with a note. */
export const noteDialog = lazyPart(() =>
  import('../../features/likes/LikeNoteDialog.tsx').then((module) => module.LikeNoteDialog),
);

/** The keyboard shortcuts. */
export const keysDialog = lazyPart(() =>
  import('../../ui/feedback/KeysDialog.tsx').then((module) => module.KeysDialog),
);

/** The grid, for wide screens. */
export const cardGrid = lazyPart(() =>
  import('../../features/discovery/deck/CardGrid.tsx').then((module) => module.CardGrid),
);

/** Why no one is left. */
export const emptyDeck = lazyPart(() =>
  import('../../features/discovery/deck/EmptyDeck.tsx').then((module) => module.EmptyDeck),
);

/** The preferences, with all interests and languages. */
export const preferencesSheet = lazyPart(() =>
  import('../../features/discovery/preferences/PreferencesSheet.tsx').then((module) => module.PreferencesSheet),
);

/** The offer to install the app, where the browser can. */
export const installNotice = lazyPart(() =>
  import('../../features/installation/InstallOffer.tsx').then((module) => module.InstallNotice),
);

/** Loads what may be opened next, once there is a card. */
export function fetchNextParts(): void {
  for (const part of [memberAbout, noteDialog, whyDialog]) part.preload();
}
