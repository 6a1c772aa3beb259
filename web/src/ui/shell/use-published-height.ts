import { type RefObject, useLayoutEffect } from 'react';

/** Publishes an element's height to the stylesheets as this property while it is shown, so that other parts leave room for it. */
export function usePublishedHeight(
  name: `--${string}`,
  element: RefObject<HTMLElement | null>,
  isShown: boolean,
): void {
  useLayoutEffect(() => {
    const root = document.documentElement.style;
    if (!isShown || element.current === null) return;
    const { current } = element;
    const tell = () => root.setProperty(name, `${current.offsetHeight}px`);
    const sizes = new ResizeObserver(tell);
    sizes.observe(current);
    tell();
    return () => {
      sizes.disconnect();
      root.removeProperty(name);
    };
  }, [name, element, isShown]);
}
