import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { showable } from '#contract/subscriptions/currency.ts';
import {
  apiBasePath,
  bioMaxLength,
  memberPasswordMinLength,
  nameMaxLength,
  passwordMaxLength,
  readinessWithinMs,
  staffPasswordMinLength,
} from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { planMonths, plans, type Money, type Plan } from '#contract/subscriptions/plan.ts';
import { getConfig, listOutbox } from '#contract/system.ts';
import type { AppLinks } from '../config/app-links.ts';
import { apiDocsPage, apiDocsStyle, describeApi, outboxPage } from './pages.ts';
import { withDeadline, mount } from './mount.ts';
import { hasDemoData } from '../db/db.ts';
import type { Deps } from '../../deps.ts';
import { presentBrand, shownBrand, supportAddress } from '../service/brand.ts';
import { notFoundBody } from './error-handler.ts';
import { currentTerms } from '../service/published-texts.ts';
import { readOutbox, type MailTemplates } from '../notify/mail.ts';

/**
 * Mounts health checks, metrics, API documentation, `/.well-known`, and the configuration that the web app needs before
 * sign-in.
 */
export function mountSystem(
  app: FastifyInstance,
  deps: Deps,
  templates: MailTemplates,
  endpoints: EndpointSpec[],
): void {
  const { config, identities } = deps;
  mount(app, deps, getConfig).to(async () => ({
    data: {
      supportEmail: supportAddress(config),
      ...shownService(deps),
      providers: {
        google: identities.google !== null,
        facebook: identities.facebook !== null,
        payments: config.payments.provider === 'off' ? null : config.payments.provider,
        mail: config.mail.driver,
      },
      signInWith: {
        google: identities.google?.forBrowsers ?? null,
        facebook: identities.facebook?.forBrowsers ?? null,
      },
      house: deps.house && { name: deps.house.name },
      pushPublicKey: deps.push.publicKey,
      stripePublishableKey: config.payments.provider === 'stripe' ? config.payments.publishableKey : null,
      premium: {
        plans: planOffers(config.payments.prices),
        trialDays: config.payments.trialDays,
        withdrawalCountries: config.payments.withdrawalCountries,
      },
      showsPendingPictures: config.media.showsPending,
      demo: await hasDemoData(deps.db),
      termsVersion: currentTerms(),
      limits: {
        memberPasswordMinLength,
        staffPasswordMinLength,
        passwordMaxLength,
        minimumAgeYears: deps.service.now().settings.registration.minimumAge,
        bioMaxLength,
        nameMaxLength,
      },
    },
  }));

  if (config.mail.outboxShown) {
    mount(app, deps, listOutbox).to(async ({ query }) => ({
      data: { mails: await readOutbox(deps, templates, query.to) },
    }));
    app.get('/dev/outbox', async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(outboxPage(await readOutbox(deps, templates, undefined))),
    );
  }

  mountHealth(app, deps);
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(config.metricsToken, request.socket.remoteAddress, request.headers.authorization)) {
      return reply.status(404).send(notFoundBody(request));
    }
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  });

  const description = onceForName(() => describeApi(endpoints));
  const page = onceForName(() => apiDocsPage(endpoints));
  app.get(`${apiBasePath}/openapi.json`, async () => description());
  app.get('/api/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page()));
  app.get('/api/docs.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(apiDocsStyle));
  mountWellKnown(app, deps);
}

/** Whether this process runs, and whether it can answer members. A process that stops says no, so that proxies send it nothing more. */
function mountHealth(app: FastifyInstance, { pool }: Deps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/healthz',
    handler: async (_request, reply) =>
      app.isDraining === true ? reply.status(503).send({ status: 'stopping' }) : { status: 'ok' },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: async (_request, reply) => {
      try {
        if (app.isDraining === true) throw new Error('stopping');
        await withDeadline(readinessWithinMs, pool.query('select 1 from installation limit 1'));
        return { status: 'ok' };
      } catch {
        return reply.status(503).header('retry-after', '2').send({ status: 'unavailable' });
      }
    },
  });
}

/**
 * Caches what `make` builds with the current name of the service: it is built on the first request and again only for another name, because
 * that takes more than half of the time needed to build the app.
 */
function onceForName<T>(make: () => T): () => T {
  let made: { name: string; value: T } | undefined;
  return () => {
    const { name } = presentBrand();
    if (made?.name !== name) made = { name, value: make() };
    return made.value;
  };
}

/** The public part of what the owner changed. */
function shownService({ config, service }: Deps) {
  const { brand, frontDoor, registration, parts, lists } = service.now().settings;
  const ownLists = Object.values(lists).some((list) => list !== null && list.length > 0);
  return {
    brand: { ...shownBrand(config, brand), minimumAge: registration.minimumAge },
    frontDoor,
    registration,
    parts,
    ownLists,
  };
}

/** The offered plans: the price per period and per month, rounded to an amount that can be shown. */
function planOffers(prices: Record<Plan, Money>) {
  return plans.map((plan) => {
    const [months, price] = [planMonths[plan], prices[plan]];
    return {
      plan,
      months,
      price,
      pricePerMonth: { ...price, amountMinor: showable(price.amountMinor / months, price.currency) },
    };
  });
}

function mayReadMetrics(
  token: string | null,
  remoteAddress: string | undefined,
  authorization: string | undefined,
): boolean {
  if (token !== null) {
    const given = Buffer.from(authorization ?? '');
    const wanted = Buffer.from(`Bearer ${token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
  return ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(remoteAddress ?? '');
}

/** RFC 9116 recommends less than a year, so that no one writes to an abandoned contact. */
const contactValidDays = 90;
const dayMs = 86_400_000;
const securityTextPath = '/.well-known/security.txt';

/** The existing paths below `/.well-known`; all others return 404. */
function mountWellKnown(app: FastifyInstance, { config, clock }: Pick<Deps, 'config' | 'clock'>): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/.well-known/change-password',
    handler: (_request, reply) => reply.redirect('/app/settings/security', 302),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: securityTextPath,
    handler: (_request, reply) => {
      const today = Math.floor(clock.now().getTime() / dayMs);
      const lines = [
        `Contact: ${config.securityContact}`,
        `Expires: ${new Date((today + contactValidDays) * dayMs).toISOString()}`,
        'Preferred-Languages: en',
        `Canonical: ${config.publicUrl}${securityTextPath}`,
      ];
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
    },
  });
  for (const [file, content] of Object.entries(appLinkFiles(config.appLinks)))
    app.route({
      method: ['GET', 'HEAD'],
      url: `/.well-known/${file}`,
      // Named, because Apple's file has no extension.
      handler: (_request, reply) => reply.type('application/json').send(JSON.stringify(content)),
    });
}

/** The files that phones read before an app may open the links of this service, by name; only for configured apps. */
function appLinkFiles({ android, apple }: AppLinks): Record<string, unknown> {
  return {
    ...(android && {
      'assetlinks.json': [
        {
          relation: ['delegate_permission/common.handle_all_urls'],
          target: {
            namespace: 'android_app',
            package_name: android.packageName,
            sha256_cert_fingerprints: android.fingerprints,
          },
        },
      ],
    }),
    ...(apple && {
      'apple-app-site-association': {
        applinks: { details: [{ appIDs: apple.appIds, components: [{ '/': '/app' }, { '/': '/app/*' }] }] },
        webcredentials: { apps: apple.appIds },
      },
    }),
  };
}
