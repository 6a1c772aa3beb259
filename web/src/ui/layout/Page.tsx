import { Group, Title, type TitleProps } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Link, type LinkProps, useLocation } from 'react-router';
import { useBrand } from '../../brand.ts';
import { Hint } from './text-blocks.tsx';
import classes from './layout.module.css';

/** Sets the document's title as soon as the page is on the screen. */
function useDocumentTitle(title: string): void {
  const { name } = useBrand();
  useLayoutEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
}

/** Moves the focus to the title of the open dialog, or else of the page. */
export function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('dialog[open] h2') ?? document.querySelector('h1');
  title?.focus({ preventScroll: true });
}

/** A ref for what disappears when it is used: the focus, which would be lost, moves to the title. */
export const passingFocus = (place: HTMLElement | null) => () => {
  if (place?.contains(document.activeElement)) focusTitle();
};

interface PageHeadingProps extends Omit<TitleProps, 'title' | 'order' | 'className'> {
  children: string;
  /** The document's title, if it differs from the heading. */
  title?: string;
  className?: string | undefined;
}

/** The page's h1. It takes the focus after a route change (not after a page load), and sets the document's title. */
export function PageHeading({ children, title = children, className, ...heading }: PageHeadingProps) {
  const element = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const focusedPath = useRef(key === 'default' ? pathname : null);
  useDocumentTitle(title);
  useLayoutEffect(() => {
    if (focusedPath.current === pathname) return;
    focusedPath.current = pathname;
    element.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <Title ref={element} tabIndex={-1} miw={0} className={className ?? ''} {...heading}>
      {children}
    </Title>
  );
}

/** A link to the parent page. */
export function BackLink(link: LinkProps) {
  return <Link className={classes.back} {...link} />;
}

interface PageProps {
  title: string;
  /** Buttons next to the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The layout of a page with a heading: width, margins, and room for actions next to the title. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <div className={classes.page}>
      <Group gap="0.75rem 1.5rem" justify="space-between" mb="1.5rem">
        <PageHeading className={classes.title}>{title}</PageHeading>
        {actions && <div className={classes.actions}>{actions}</div>}
      </Group>
      {children}
    </div>
  );
}

interface PanelProps {
  title: string;
  /** A line under the title. */
  lead?: string;
  /** Buttons next to the title. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** A part of a page with its own background and heading, which is also its accessible name. */
export function Panel({ title, lead, actions, children, className = '' }: PanelProps) {
  const id = useId();
  return (
    <section ref={passingFocus} className={`${classes.panel} ${className}`} aria-labelledby={id}>
      <Group gap="0.5rem 1rem" justify="space-between" align="flex-start" mb="1rem" className={classes.panelTop ?? ''}>
        <div>
          <Title id={id} order={2} fz="1.2rem">
            {title}
          </Title>
          {lead !== undefined && <Hint mt="0.2rem">{lead}</Hint>}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  );
}

interface PartProps {
  title: string;
  /** A line under the title. */
  lead?: string;
  /** A state next to the title. */
  tag?: ReactNode;
  children: ReactNode;
}

/** A part of a panel with its own heading, separated from the previous part by a thin line. */
export function Part({ title, lead, tag, children }: PartProps) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <Group gap="0.3rem 0.7rem" mb="0.2rem">
        <Title id={id} order={3}>
          {title}
        </Title>
        {tag}
      </Group>
      {lead !== undefined && <Hint mb="0.9rem">{lead}</Hint>}
      {children}
    </section>
  );
}

interface ColumnsProps {
  /** The columns have the same width; otherwise the first one is wider. */
  isEven?: boolean;
  /** The columns have the same height. */
  isStretched?: boolean;
  /** The second of three children is the side column, and comes between the others if there is not enough room. */
  isSideSecond?: boolean;
  children: ReactNode;
}

/** Two columns, or one below the other if there is not enough room. */
export function Columns({ isEven, isStretched, isSideSecond, children }: ColumnsProps) {
  return (
    <div className={classes.columns} data-even={isEven} data-stretched={isStretched} data-side={isSideSecond}>
      {children}
    </div>
  );
}

/** Content that spans both columns. */
export function BothColumns({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>;
}
