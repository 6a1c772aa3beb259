import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { Tabs } from './Tabs.tsx';

const tabs = (count?: string) =>
  ['cases', 'appeals', 'pictures'].map((text) => ({ to: `/${text}`, text, isCurrent: text === 'pictures', count }));

it('tabs that do not fit are scrolled so that the current one is in the middle, also once counts make them wider', () => {
  // Each tab is 200 px wide, and 50 px wider with a count.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const strip = this.closest('nav');
    if (this === strip) return new DOMRect(20, 0, 320, 44);
    const width = strip?.querySelector('a > span') ? 250 : 200;
    const place = [...(strip?.children ?? [])].indexOf(this);
    return new DOMRect(20 + place * width - (strip?.scrollLeft ?? 0), 0, width, 44);
  });
  const { rerender } = render(<Tabs label="Queue" tabs={tabs()} />, { wrapper: Surroundings });
  const strip = screen.getByRole('navigation', { name: 'Queue' });
  expect(strip.scrollLeft).toBe(340);
  rerender(<Tabs label="Queue" tabs={tabs('3')} />);
  expect(strip.scrollLeft).toBe(465);
});
