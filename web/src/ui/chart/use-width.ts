import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of the element that gets the ref, in whole CSS pixels; 0 until it is known. */
export function useWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(observed.clientWidth)));
    observer.observe(observed);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
