import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/compatibility/compatibility.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { answersOf, giveAnswer, takeAnswerBack } from './compatibility.ts';

/** Answers to the compatibility questions. */
export function mountCompatibility(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, calls.getAnswers).to(async ({ caller }) => ({
    data: { answers: await answersOf(db, caller) },
  }));
  mount(app, deps, calls.putAnswer).to(async ({ caller, params, body, now }) => ({
    message: 'Your answer is saved',
    data: { answers: await giveAnswer(db, caller, params.questionId, body, now) },
  }));
  mount(app, deps, calls.deleteAnswer).to(async ({ caller, params, now }) => ({
    message: 'Your answer is deleted',
    data: { answers: await takeAnswerBack(db, caller, params.questionId, now) },
  }));
}
