import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { serveConversations } from '../test/fixtures/conversations.ts';
import { serveLikes } from '../test/fixtures/likes.ts';
import { administrator, ownUser } from '../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../test/render-app.tsx';
import { replaceProperty } from '../test/replaced.ts';

describe('access to pages', () => {
  it.each([
    ['/dashboard', '/login'],
    ['/users', '/login'],
    ['/users/42', '/login'],
    ['/reports', '/login'],
    ['/reports/42', '/login'],
    ['/team', '/login'],
    ['/audit', '/login'],
    ['/insights', '/login'],
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
    ['/app/report', '/app/report'],
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
  const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

  it('restores its own scroll position after a full load, not that of the page before', async () => {
    const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
    const load = async (path: string, title: string) => {
      scrolled.mockClear();
      const { unmount } = renderApp(path);
      await heading(title);
      return (scrollY: number) => {
        replaceProperty(window, 'scrollY', scrollY);
        fireEvent(window, new Event('pagehide'));
        unmount();
      };
    };
    (await load('/privacy', 'Privacy Policy'))(700);
    (await load('/faqs', 'Frequently Asked Questions'))(0);
    expect(scrolled).not.toHaveBeenCalledWith(0, 700);
    const leave = await load('/privacy', 'Privacy Policy');
    await waitFor(() => expect(scrolled).toHaveBeenCalledWith(0, 700));
    leave(0);
  });

  it('fades to the new page, which takes the focus', async () => {
    const animated: string[] = [];
    const startViewTransition = (update: () => Promise<void>) => {
      animated.push(document.title);
      const done = update();
      return { ready: done, finished: done, updateCallbackDone: done, skipTransition: () => undefined };
    };
    replaceProperty(document, 'startViewTransition', startViewTransition);
    serveLikes();
    serveConversations({});
    const { person } = renderApp('/app/likes', ownUser());
    await heading('Likes');
    await person.click(screen.getByRole('link', { name: 'Messages' }));
    expect(await heading('Messages')).toHaveFocus();
    expect(animated).toEqual(['Likes · Heartwood']);
  });
});
