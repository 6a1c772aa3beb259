import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentAddress, Surroundings } from '../../../test/render-app.tsx';
import { Link } from './Link.tsx';

function draw(link: ReactNode) {
  render(<Surroundings at="/home">{link}</Surroundings>);
  return screen.getByRole('link');
}

/** What the browser would do with a click that nobody took. */
const stayHere = (event: Event) => event.preventDefault();

describe('a link within the app', () => {
  beforeEach(() => window.addEventListener('click', stayHere));
  afterEach(() => window.removeEventListener('click', stayHere));

  it('moves without loading a page', () => {
    const link = draw(<Link to="/faqs?q=1">FAQs</Link>);
    expect(link).toHaveAttribute('href', '/faqs?q=1');
    fireEvent.click(link);
    expect(currentAddress()).toBe('/faqs?q=1');
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
    'leaves a click with %o to the browser',
    (click) => {
      const link = draw(<Link to="/faqs">FAQs</Link>);
      fireEvent.click(link, click);
      expect(currentAddress()).toBe('/home');
    },
  );

  it('leaves another window to the browser', () => {
    const link = draw(
      <Link to="/privacy" target="_blank">
        Privacy
      </Link>,
    );
    fireEvent.click(link);
    expect(currentAddress()).toBe('/home');
  });

  it('moves not when its own handler has dealt with the click', () => {
    const link = draw(
      <Link to="/faqs" onClick={(event) => event.preventDefault()}>
        FAQs
      </Link>,
    );
    fireEvent.click(link);
    expect(currentAddress()).toBe('/home');
  });
});
