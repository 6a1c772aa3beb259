import { randomBytes } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { ageResults } from '#contract/age-check.ts';
import { type AgeProvider, ageSignature, signedAgeProvider } from '../../server/src/features/profiles/age/provider.ts';
import { invalid } from '#platform/http/app-error.ts';
import { escapeHtml } from '#platform/http/pages.ts';
import type { ProviderContext } from '../../server/src/providers.ts';
import { page } from '../identity/people.ts';

const doublePath = '/dev/age';
const given = z.string().check(z.maxLength(2000));
const askedSchema = z.object({ check: given, return: given, signature: given });
const words = { adult: 'Say that I am an adult', minor: 'Say that I am not an adult' };

/** Stands in for an age check provider on this machine: the person being checked chooses the answer. */
export function openAgeDouble({ addFeature }: ProviderContext): AgeProvider {
  const secret = randomBytes(32).toString('hex');
  addFeature({ routes: [(app) => mountPage(app, secret)] });
  return signedAgeProvider({ url: doublePath, secret }, 'this machine');
}

function mountPage(app: FastifyInstance, secret: string): void {
  app.get(doublePath, async (request, reply) => {
    const { data: asked } = askedSchema.safeParse(request.query);
    if (asked === undefined || asked.signature !== ageSignature(secret, asked.check, asked.return))
      throw invalid('signature', msg`Come here from the page "Confirm your age"`);
    const back = (answer: Record<string, string>) =>
      escapeHtml(`${asked.return}?${new URLSearchParams(answer).toString()}`);
    const choices = ageResults.map((result) => {
      const answer = { check: asked.check, result, signature: ageSignature(secret, asked.check, result) };
      return `<li><a href="${back(answer)}">${words[result]}</a></li>`;
    });
    void reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
    return reply.send(
      page(
        'Are you an adult?',
        `<p>This page stands in for a provider of age checks, as none is set up on this machine. Nothing leaves it.</p>
<ul>${choices.join('\n')}<li><a href="${escapeHtml(asked.return)}">Go back without an answer</a></li></ul>`,
      ),
    );
  });
}
