import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { serveConversations } from '../test/fixtures/conversations.ts';
import { serveLikes } from '../test/fixtures/likes.ts';
import { administrator, ownUser } from '../test/fixtures/people.ts';
import { currentAddress, renderApp, serveBasics } from '../test/render-app.tsx';
import { keepSession } from './api/session/stored-session.ts';
import { AppProviders } from './AppProviders.tsx';
import { AppRouter, AppRoutes } from './AppRoutes.tsx';

describe('access to pages', () => {
  it.each([
    ['/dashboard', '/login'],
    ['/users', '/login'],
    ['/users/42', '/login'],
    ['/reports', '/login'],
    ['/reports/42', '/login'],
    ['/team', '/login'],
    ['/audit', '/login'],
    ['/insights/matching', '/login'],
    ['/operations', '/login'],
    ['/settings', '/login'],
    ['/home', '/login'],
    ['/', '/login'],
    ['/anything/else', '/login'],
    ['/app', '/app/sign-in'],
    ['/app/nowhere', '/app/sign-in'],
    ['/app/support', '/app/sign-in'],
    ['/app/support/new', '/app/sign-in'],
    ['/app/support/42', '/app/sign-in'],
    ['/app/members/42', '/app/sign-in'],
    ['/app/discover', '/app/sign-in'],
    ['/app/likes', '/app/sign-in'],
    ['/app/matches', '/app/sign-in'],
    ['/app/messages', '/app/sign-in'],
    ['/app/messages/42', '/app/sign-in'],
    ['/app/welcome', '/app/sign-in'],
    ['/app/profile', '/app/sign-in'],
    ['/app/settings', '/app/sign-in'],
    ['/app/premium', '/app/sign-in'],
    ['/app/premium/invoices/42', '/app/sign-in'],
    ['/login', '/login'],
    ['/privacy', '/privacy'],
    ['/faqs', '/faqs'],
    ['/app/sign-in', '/app/sign-in'],
    ['/app/join', '/app/join'],
    ['/app/terms', '/app/terms'],
    ['/app/forgot-password', '/app/forgot-password'],
    ['/app/unsubscribe', '/app/unsubscribe'],
    ['/app/second-step', '/app/second-step'],
  ])('a visitor at %s ends at %s', async (asked, reached) => {
    renderApp(asked);
    await screen.findByRole('heading', { level: 1 });
    expect(currentAddress()).toBe(reached);
  });

  it.each([
    ['/login', '/home'],
    ['/dashboard', '/home'],
    ['/users', '/home'],
    ['/', '/home'],
    ['/app', '/app/discover'],
    ['/app/unknown', '/app/discover'],
    ['/app/discover', '/app/discover'],
    ['/app/likes', '/app/likes'],
    ['/app/matches', '/app/matches'],
    ['/app/messages', '/app/messages'],
    ['/app/unsubscribe', '/app/unsubscribe'],
    ['/app/second-step', '/app/second-step'],
    ['/app/sign-in', '/app/discover'],
    ['/app/join', '/app/discover'],
    ['/faqs', '/faqs'],
    ['/privacy', '/privacy'],
    ['/app/support', '/app/support'],
    ['/app/support/new', '/app/support/new'],
    ['/app/support/42', '/app/support/42'],
    ['/app/members/42', '/app/members/42'],
    ['/app/welcome', '/app/welcome'],
    ['/app/profile', '/app/profile'],
    ['/app/settings', '/app/settings'],
    ['/app/premium', '/app/premium'],
    ['/app/premium/invoices/42', '/app/premium/invoices/42'],
  ])('a member at %s ends at %s', async (asked, reached) => {
    renderApp(asked, ownUser());
    await screen.findByRole('heading', { level: 1 });
    expect(currentAddress()).toBe(reached);
  });

  it.each([
    ['/login', '/home'],
    ['/home', '/home'],
    ['/app/sign-in', '/dashboard'],
    ['/', '/dashboard'],
    ['/nowhere', '/dashboard'],
    ['/app/nowhere', '/app/discover'],
    ['/reports', '/reports'],
  ])('an administrator at %s ends at %s', async (asked, reached) => {
    renderApp(asked, administrator());
    await screen.findByRole('heading', { level: 1 });
    await waitFor(() => expect(currentAddress()).toBe(reached));
  });
});

describe('a change of page', () => {
  function openInBrowser(prefersStill: boolean) {
    const animated: string[] = [];
    const original = window.matchMedia;
    vi.stubGlobal('matchMedia', (query: string) => ({
      ...original(query),
      matches: prefersStill && query.includes('prefers-reduced-motion'),
    }));
    const startViewTransition = (update: () => void) => {
      update();
      animated.push(document.title);
      return { ready: Promise.reject(new Error('Skipped')) };
    };
    Object.defineProperty(document, 'startViewTransition', { value: startViewTransition, configurable: true });
    serveBasics(ownUser());
    serveLikes();
    serveConversations({});
    keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
    window.history.replaceState(null, '', '/app/likes');
    render(
      <AppProviders options={{ env: 'test' }}>
        <AppRouter>
          <AppRoutes />
        </AppRouter>
      </AppProviders>,
    );
    return animated;
  }

  const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

  async function walk() {
    await heading('Likes');
    await userEvent.click(screen.getByRole('link', { name: 'Messages' }));
    expect(await heading('Messages')).toHaveFocus();
    window.history.back();
    await heading('Likes');
    Reflect.deleteProperty(document, 'startViewTransition');
  }

  it('is animated, with the new page complete before it starts; Back is not', async () => {
    const animated = openInBrowser(false);
    await walk();
    expect(animated).toEqual(['Messages · Heartwood']);
  });

  it('is immediate for people who prefer less motion', async () => {
    const animated = openInBrowser(true);
    await walk();
    expect(animated).toEqual([]);
  });
});
