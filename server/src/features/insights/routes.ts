import type { FastifyInstance } from 'fastify';
import { getFunnel, getRetention } from '#contract/insights/cohorts.ts';
import {
  getGrowth,
  getRevenueSeries,
  getSafetySeries,
  growthMeasures,
  revenueMeasures,
  safetyMeasures,
} from '#contract/insights/series.ts';
import { getWeeklyMail, putWeeklyMail } from '#contract/insights/weekly-mail.ts';
import { getFigures } from '#contract/service/figures.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { readFunnel, readRetention } from './cohorts.reads.ts';
import { readFigures } from './home-figures.ts';
import { readSeries } from './series.reads.ts';
import { changeMail, isMailWanted } from './weekly-mail.ts';

/** Figures over time, from the nightly roll-up. */
export function mountInsights(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, getGrowth).to(async ({ query, read, now }) => ({
    data: await read((db) => readSeries(db, query, growthMeasures, { now })),
  }));
  mount(app, deps, getRevenueSeries).to(async ({ query, read, now }) => ({
    data: await read((db) => readSeries(db, query, revenueMeasures, { now, hasMoney: true })),
  }));
  mount(app, deps, getSafetySeries).to(async ({ query, read, now }) => ({
    data: await read((db) => readSeries(db, query, safetyMeasures, { now })),
  }));
  mount(app, deps, getFunnel).to(async ({ query, read, now }) => ({
    data: await read((db) => readFunnel(db, query, now)),
  }));
  mount(app, deps, getRetention).to(async ({ query, read }) => ({
    data: await read((db) => readRetention(db, query)),
  }));
  mount(app, deps, getFigures).to(async ({ read, now }) => ({
    data: await read((db) => readFigures(db, deps.service.now().settings, now)),
  }));
  mount(app, deps, getWeeklyMail).to(async ({ caller }) => ({
    data: { isWanted: await isMailWanted(deps.db, caller.accountId) },
  }));
  mount(app, deps, putWeeklyMail).to(async ({ tx, caller, body: { isWanted } }) => {
    await changeMail({ tx, caller }, isWanted);
    return { data: { isWanted } };
  });
}
