import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import classes from './DataTable.module.css';

/** One line of text, which is cut off with an ellipsis if it is too long; the whole text is its tooltip. */
export function CutText({ text, isSoft = false }: { text: string; isSoft?: boolean }) {
  return (
    <span className={isSoft ? `${classes.cut} ${classes.soft}` : classes.cut} title={text} dir="auto">
      {text}
    </span>
  );
}

/** A mail address, which wraps after its @ if it is too long for one line. Rows of a fixed height have room for two lines. */
export function Address({ children: address, isSoft = false }: { children: string; isSoft?: boolean }) {
  const domainStart = address.lastIndexOf('@') + 1;
  return (
    <span className={isSoft ? `${classes.address} ${classes.soft}` : classes.address} title={address} dir="auto">
      {address.slice(0, domainStart)}
      <wbr />
      {address.slice(domainStart)}
    </span>
  );
}

/** A short id, with the whole id as a tooltip. */
export function ShortId({ id, short }: { id: string; short: string }) {
  return (
    <code className={classes.id} title={id}>
      {short}
    </code>
  );
}

/** A short id that links to its page, with the whole id as a tooltip. */
export function IdLink({ isStrong = false, ...link }: Omit<LinkProps, 'className'> & { isStrong?: boolean }) {
  return <Link {...link} className={classes.idLink} data-strong={isStrong || undefined} />;
}

/** A message produced by a machine, such as an error. */
export function CodeText({ children }: { children: string }) {
  return <code className={classes.code}>{children}</code>;
}

/** A placeholder for a missing value; on a card, the fact is left out. */
export function Nothing() {
  return <span data-nothing>—</span>;
}

interface RowActionProps {
  /** The id by which keys find the row, on its first action if it has no link. */
  id?: string;
  /** The accessible name: the action and the row. */
  label: string;
  /** The action in one word, used as the tooltip in a table and as the text on a card. */
  text: string;
  /** The tooltip, if it should say more than the text. */
  title?: string;
  icon: ReactNode;
  tone?: 'positive' | 'accent';
  isDisabled?: boolean;
  onClick: (event: { detail: number }) => void;
}

/** An action on a row: an icon in a table, text on a card. It uses plain elements, so that long tables scroll fast. */
export function RowAction({ id, label, text, title = text, icon, tone, isDisabled, onClick }: RowActionProps) {
  return (
    <button
      id={id}
      type="button"
      className={classes.action}
      data-tone={tone}
      disabled={isDisabled}
      aria-label={label}
      title={title}
      onClick={onClick}
    >
      {icon}
      <span className={classes.actionText}>{text}</span>
    </button>
  );
}

/** The `RowAction`s of one row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className={classes.actions}>{children}</span>;
}
