import { act, render, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createContext, type ReactNode, use, useLayoutEffect, useState } from 'react';
import { createMemoryRouter, type DataRouter, type InitialEntry, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { productName, termsVersion } from '#contract/constants.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { getCare } from '#contract/moderation/care.ts';
import { getBanner } from '#contract/service/banner.ts';
import { getFigures } from '#contract/service/figures.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { allParts } from '#contract/service/parts.ts';
import { getConfig } from '#contract/system.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { keepSession } from '../src/api/session/stored-session.ts';
import { AppProviders } from '../src/AppProviders.tsx';
import { resetStatus } from '../src/features/auth/session/session.ts';
import { routes } from '../src/routes.tsx';
import { AppRouterContext } from '../src/ui/layout/app-router.ts';
import { serve } from './fake-server.ts';
import { offeredPlans } from './fixtures/premium.ts';

type ServiceConfig = AnswerOf<typeof getConfig>['data'];

// Every page's code is fetched before the first test: a test has no time to wait for it.
async function fetchPages(below: readonly RouteObject[]): Promise<void> {
  await Promise.all(
    below.map(async ({ lazy, children = [] }) => {
      if (typeof lazy === 'function') await lazy();
      await fetchPages(children);
    }),
  );
}
await fetchPages(routes);

let current: DataRouter | null = null;

/** Presses the browser's Back button. */
export async function goBack(): Promise<void> {
  await act(async () => await current?.navigate(-1));
}

/** The app's current address: path, query and hash. */
export function currentAddress(): string {
  const { pathname = '', search = '', hash = '' } = current?.state.location ?? {};
  return `${pathname}${search}${hash}`;
}

/** The state of the current history entry, which a reload keeps. */
export function currentState(): unknown {
  return current?.state.location.state;
}

/** No transitions and portals, and no style sheets, which slow down every query by role. */
const testOptions = { env: 'test', withCssVariables: false, withGlobalClasses: false } as const;

interface RoutedProps {
  routes: RouteObject[];
  /** The address, or several that were opened one after the other. */
  at: InitialEntry | string[];
}

function Routed({ routes, at }: RoutedProps) {
  const [router] = useState(() => createMemoryRouter(routes, { initialEntries: Array.isArray(at) ? at : [at] }));
  useLayoutEffect(() => {
    current = router;
  }, [router]);
  return (
    <AppProviders options={testOptions}>
      <AppRouterContext value={router}>
        <RouterProvider router={router} />
      </AppRouterContext>
    </AppProviders>
  );
}

const Content = createContext<ReactNode>(null);
const anyAddress = [{ path: '*', Component: () => use(Content) }];

/** Everything a component needs around it, at the given address. */
export function Surroundings({ children, at = '/' }: { children: ReactNode; at?: RoutedProps['at'] }) {
  return (
    <Content value={children}>
      <Routed routes={anyAddress} at={at} />
    </Content>
  );
}

/** What the service publishes before sign-in. */
export function serviceConfig(changes: Partial<ServiceConfig> = {}): ServiceConfig {
  return {
    supportEmail: 'support@heartwood.test',
    brand: { name: productName, colours: null, logo: null, icon: null, legalEntity: null },
    frontDoor: 'signIn',
    registration: { mode: 'open', sentence: {} },
    parts: allParts,
    providers: { google: false, facebook: false, payments: 'sandbox', mail: 'outbox' },
    signInWith: { google: null, facebook: null },
    pushPublicKey: 'BCkpSJ2qsQsv8hYuGQvGRlnxQEsmRJJpF0yNj3sJ1h2X2fLZbB7nQZ2vLq1bQXvC1u6m0sR3m6w4g8WJgU1p5sE',
    stripePublishableKey: null,
    premium: { plans: offeredPlans, trialDays: 0 },
    showsPendingPictures: false,
    demo: true,
    termsVersion,
    limits: {
      memberPasswordMinLength: 10,
      staffPasswordMinLength: 15,
      passwordMaxLength: 128,
      minimumAgeYears: 18,
      bioMaxLength: 1000,
      nameMaxLength: 60,
    },
    ...changes,
  };
}

/** Answers the calls that every page makes: the service's configuration, its banner and the user's own profile. */
export function serveBasics(user?: OwnUser, config: () => ServiceConfig = serviceConfig): void {
  serve(getConfig, () => ({ data: config() }));
  if (!user) return;
  serve(getBanner, () => ({ data: { banner: null } }));
  serve(getFigures, () => ({ data: { source: 'usual' as const, own: {}, live: [] } }));
  serve(getCare, () => ({ data: { opened: 0, most: 20, isOver: false } }));
  serve(getProfile, () => ({
    userData: {
      user,
      privacySettings: user.settings,
      requiresVerification: !user.isEmailVerified,
      requiresProfileCompletion: !user.profileComplete,
      onboardingComplete: user.profileComplete,
    },
  }));
}

/**
 * Renders the whole app at an address, signed in as `user` if given; `person` operates keyboard and mouse. `known` is
 * the server's current data of that user, `config` the service's configuration.
 */
export function renderApp(at: InitialEntry, user?: OwnUser, known = user, config?: () => ServiceConfig) {
  serveBasics(known, config);
  if (user) keepSession({ token: 'token-1', refreshToken: 'refresh-1', user });
  resetStatus();
  const view = render(<Routed routes={routes} at={at} />);
  const person = userEvent.setup({ delay: null });
  // A menu may get its options later.
  const selectOptions: typeof person.selectOptions = (menu, options) =>
    waitFor(() => person.selectOptions(menu, options));
  return { ...view, person: { ...person, selectOptions } };
}
