import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { MouseEvent } from 'react';
import { Link, type LinkProps, useLocation, useNavigate } from 'react-router';

/** The history state of a page that was opened from another one: the address to go back to. */
export interface CameFrom {
  from?: string | undefined;
}

/** The state for links to a page that should lead back here. */
export function useHere(): CameFrom {
  const { pathname, search } = useLocation();
  return { from: pathname + search };
}

/** A link to a page that leads back here. */
export const ReturningLink = (link: LinkProps) => <Link state={useHere()} {...link} />;

/** The words for the way back to a page, by how its address begins. */
const words: readonly [start: string, text: MessageDescriptor][] = [
  ['/cases/', msg`Back to the case`],
  ['/appeals/', msg`Back to the appeal`],
  ['/reports/', msg`Back to the report`],
  ['/reports', msg`All reports`],
];

/** The link back to the page that this one was opened from, in its previous state, or else to the given list. */
export function useWayBack(list: LinkProps): LinkProps {
  const navigate = useNavigate();
  const { from } = (useLocation().state as CameFrom | null) ?? {};
  if (from === undefined) return list;
  const text = words.find(([start]) => from.startsWith(start))?.[1];
  return {
    to: from,
    children: text === undefined ? list.children : t(text),
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void navigate(-1);
    },
  };
}
