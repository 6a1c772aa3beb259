import { t } from '@lingui/core/macro';
import { ActionIcon, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import classes from './Dialog.module.css';
import { isBehindDialog } from '../keyboard/shortcuts.tsx';
import { focusTitle } from '../layout/Page.tsx';

export interface DialogProps {
  title: string;
  onClose: () => void;
  /** When closed, it is not visible, but its content continues to run. */
  isOpen?: boolean;
  children: ReactNode;
  /** Buttons at the bottom, the safe one first. */
  actions?: ReactNode;
  /** The reason why the action failed, shown above the buttons, which are always visible. */
  problem?: ReactNode;
  /**
   * `full` is as large as the window allows; `popover` is next to the bell and closes on a click outside; `sheet` has
   * the height of the window; `panel` is a column of the page and not modal, so the page can still be used; `screen`
   * fills the window from edge to edge, dark in both schemes, for those that import `screen.css`.
   */
  size?: 'narrow' | 'wide' | 'full' | 'popover' | 'sheet' | 'panel' | 'screen';
  /** A button that closes the dialog in place of the cross. */
  close?: ReactNode;
  /** Called on Esc instead of closing, if Esc goes back a step within the dialog. */
  onEscape?: (() => void) | undefined;
}

/** The opener of a dialog that has just closed, for a next step that replaces it at once. */
let passedOn: Element | null = null;

/** Focuses the opener or the nearest focusable element: in the opener's row, an outer dialog or the page. */
function focusNear(opener: Element | null): void {
  const active = document.activeElement;
  if (active !== null && active !== document.body && active.isConnected) return;
  const isUsable = opener instanceof HTMLElement && opener.isConnected && !opener.matches(':disabled');
  const place = isUsable ? opener : opener?.closest('tr, li')?.querySelector<HTMLElement>('button:not(:disabled)');
  if (place) place.focus({ preventScroll: true });
  else focusTitle();
}

/** Moves the focus from the dialog's last control to its first on Tab, and the other way round. */
function keepInside(event: KeyboardEvent, dialog: HTMLElement | null): void {
  const parts = [...(dialog?.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea') ?? [])].filter(
    (part) => !part.matches(':disabled') && part.getClientRects().length > 0,
  );
  const [from, to] = event.shiftKey ? [parts.at(0), parts.at(-1)] : [parts.at(-1), parts.at(0)];
  const isAtEdge = document.activeElement === from || (event.shiftKey && document.activeElement?.tagName === 'H2');
  if (!isAtEdge) return;
  event.preventDefault();
  to?.focus();
}

/**
 * A dialog. Esc closes it, the focus returns to its previous position, and unless it is a panel the page behind it is
 * inert. The focus starts at the element with `data-autofocus`, otherwise at the title, and moves there again when the
 * title changes. It uses the browser's `dialog` element, because Mantine's Modal adds 9 KB (gzipped) to every page that
 * first opens a dialog.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, actions, problem, size = 'wide', close, onEscape = onClose, isOpen = true } = props;
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isModal = size !== 'panel';
  const stepBack = useEffectEvent(onEscape);
  const clickBeside = useEffectEvent(({ target, clientX, clientY }: MouseEvent) => {
    if (size !== 'popover' || !(target instanceof HTMLDialogElement)) return;
    const { left, right, top, bottom } = target.getBoundingClientRect();
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) onClose();
  });

  useEffect(() => {
    if (!isOpen) return;
    const element = dialog.current;
    const opener = document.activeElement === document.body ? passedOn : document.activeElement;
    const listened: HTMLElement | null = isModal ? element : document.documentElement;
    function press(event: KeyboardEvent) {
      const place = event.target instanceof Element ? event.target.closest('dialog') : element;
      const isElsewhere = place !== element && (isModal || place !== null || isBehindDialog());
      if (isElsewhere || event.defaultPrevented) return;
      if (event.key === 'Tab' && isModal) keepInside(event, element);
      if (event.key !== 'Escape') return;
      event.preventDefault();
      stepBack();
    }
    function closeByBrowser(event: Event) {
      event.preventDefault();
      stepBack();
    }
    const ending = new AbortController();
    const { signal } = ending;
    listened?.addEventListener('keydown', press, { signal });
    element?.addEventListener('cancel', closeByBrowser, { signal });
    element?.addEventListener('click', (event) => clickBeside(event), { signal });
    if (!isModal) element?.show();
    else if (element?.open === false) {
      const page = document.documentElement;
      // If the page has no scrollbar, no space is reserved for one behind the dialog.
      page.toggleAttribute('data-scrolls', page.scrollHeight > page.clientHeight);
      element.showModal();
    }
    return () => {
      ending.abort();
      element?.close();
      passedOn = opener;
      setTimeout(() => {
        passedOn = null;
        focusNear(opener);
      });
    };
  }, [isModal, isOpen]);

  useEffect(() => {
    const start = dialog.current?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.current?.querySelector('h2');
    if (isOpen) start?.focus();
  }, [title, isOpen]);

  return (
    <dialog ref={dialog} className={classes.dialog} data-size={size} aria-labelledby={titleId}>
      <div className={classes.top}>
        <Title id={titleId} tabIndex={-1} order={2} fz="min(1.3rem, 8.5vw)">
          {title}
        </Title>
        {close ?? (
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t`Close dialog`} onClick={onClose}>
            <IconX size={20} stroke={1.75} />
          </ActionIcon>
        )}
      </div>
      <div className={classes.body}>{children}</div>
      {actions && <DialogActions problem={problem}>{actions}</DialogActions>}
    </dialog>
  );
}

/**
 * The bar of buttons at the bottom of a dialog, the safe one first, below what went wrong. Forms with their own buttons
 * render it at their end.
 */
export function DialogActions({ problem, children }: { problem?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.actions}>
      {problem && <div className={classes.problem}>{problem}</div>}
      {children}
    </div>
  );
}
