import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { AppStrip } from './AppStrip.tsx';
import { useNewVersion } from './new-version.ts';

const tell = (type: 'offline' | 'online') => act(() => void window.dispatchEvent(new Event(type)));
const room = () => document.documentElement.style.getPropertyValue('--hw-strip-height');
const status = () => screen.getByRole('status');

afterEach(() => {
  tell('online');
  useNewVersion.setState({ isOffered: false });
});

describe('the strip above every page', () => {
  it('is empty while everything works', () => {
    render(<AppStrip />);
    expect(status()).toBeEmptyDOMElement();
    expect(room()).toBe('');
  });

  it('reports a missing network', () => {
    render(<AppStrip />);
    tell('offline');
    expect(status()).toHaveTextContent("You're offline. We'll continue when you're back.");
    expect(room()).toMatch(/px$/);
    tell('online');
    expect(status()).toBeEmptyDOMElement();
    expect(room()).toBe('');
  });

  it('offers a new version, which can be postponed', async () => {
    render(<AppStrip />);
    act(() => useNewVersion.setState({ isOffered: true }));
    expect(status()).toHaveTextContent('A new version is available.');
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Later' }));
    expect(status()).toBeEmptyDOMElement();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('does not offer a version that could not be loaded', () => {
    render(<AppStrip />);
    act(() => useNewVersion.setState({ isOffered: true }));
    tell('offline');
    expect(status()).toHaveTextContent(/^You're offline\./);
    expect(screen.queryByRole('button')).toBeNull();
    tell('online');
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
  });
});
