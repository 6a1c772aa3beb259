import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { ColorSchemeToggle } from '../theme/ColorSchemeToggle.tsx';
import { CrashBoundary } from '../feedback/PageStates.tsx';
import { NavItem } from './HeaderParts.tsx';
import { SiteHeader } from './SiteHeader.tsx';

describe('the colour scheme toggle', () => {
  it('follows the system until a scheme is chosen, and stores the choice', async () => {
    render(<ColorSchemeToggle />, { wrapper: Surroundings });
    expect(localStorage.getItem('color-scheme')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Switch to dark mode' }));
    expect(localStorage.getItem('color-scheme')).toBe('dark');
    await userEvent.click(screen.getByRole('button', { name: 'Switch to light mode' }));
    expect(localStorage.getItem('color-scheme')).toBe('light');
  });
});

describe('a screen that fails to render', () => {
  it('offers ways to continue', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    render(
      <CrashBoundary>
        <Broken />
      </CrashBoundary>,
      { wrapper: Surroundings },
    );
    expect(screen.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
  });
});

function Broken(): never {
  throw new Error('broken');
}

describe('a navigation link', () => {
  it('preloads its page when it is hovered or focused', async () => {
    let fetched = 0;
    render(
      <NavItem to="/faqs" preload={() => (fetched += 1)}>
        FAQs
      </NavItem>,
      { wrapper: Surroundings },
    );
    await userEvent.hover(screen.getByRole('link'));
    await userEvent.tab();
    expect(fetched).toBe(2);
  });
});

describe('the menu on narrow screens', () => {
  it('opens as a dialog with links and account, and can be closed', async () => {
    const links = <NavItem to="/faqs">FAQs</NavItem>;
    render(<SiteHeader home="/home" links={links} moreLinks={false} bell={false} account="Ada" />, {
      wrapper: Surroundings,
    });
    await userEvent.click(screen.getByRole('button', { name: 'Open menu' }));
    const menu = screen.getByRole('dialog', { name: 'Menu' });
    expect(menu).toHaveTextContent('FAQs');
    expect(menu).toHaveTextContent('Ada');
    await userEvent.click(screen.getByRole('button', { name: 'Close menu' }));
    expect(screen.queryByRole('button', { name: 'Close menu' })).toBeNull();
  });
});
