import { useMergedRef } from '@mantine/hooks';
import { type ComponentProps, useLayoutEffect, useRef } from 'react';

/** Gives the field the height of its text in browsers where styles can't. */
function fitHeight(field: HTMLTextAreaElement | null): void {
  if (field === null || CSS.supports('field-sizing', 'content')) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

/** A text field that grows with its text, even in browsers without `field-sizing`, such as Safari before 26.2. */
export function GrowingTextarea({ ref, ...area }: ComponentProps<'textarea'>) {
  const own = useRef<HTMLTextAreaElement>(null);
  // After each rendering, since a text can also be filled in or cleared.
  useLayoutEffect(() => fitHeight(own.current));
  return <textarea {...area} ref={useMergedRef(own, ref)} onInput={(event) => fitHeight(event.currentTarget)} />;
}
