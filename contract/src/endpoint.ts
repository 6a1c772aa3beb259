import type { MessageDescriptor } from '@lingui/core';
import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './roles.ts';
import type { PartName } from './service/parts.ts';

/**
 * Who may call an endpoint at all. Finer rules, such as ownership, belong to the feature. `completed` means a member
 * with a verified email address and a complete profile, or staff. Staff endpoints name the permission they require.
 */
export type Access = 'everyone' | 'signedIn' | 'completed' | Permission;

/** Names of the request limits; their numbers are in `constants.ts`. */
export type LimitName =
  | 'register'
  | 'addressInUse'
  | 'addressInUseNearby'
  | 'mailRequest'
  | 'codeTry'
  | 'addressChange'
  | 'sensitive'
  | 'passkey'
  | 'identity'
  | 'profileView'
  | 'elsewhere'
  | 'peopleCount'
  | 'export'
  | 'receipt'
  | 'transparency'
  | 'report'
  | 'message'
  | 'messageMedia'
  | 'notice'
  | 'noticeProof'
  | 'reportReply'
  | 'staffMessage'
  | 'block'
  | 'upload'
  | 'payment';

export interface EndpointSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/api/v1`; parameters as `{name}`. */
  path: string;
  summary: string;
  access: Access;
  /**
   * The part of the service that the endpoint belongs to: 404 while the owner has that part switched off. Endpoints that read, end or
   * answer something existing belong to none.
   */
  part?: PartName;
  /** The status of a successful answer: 201 if it creates a record. */
  status?: 200 | 201;
  /** The handler runs in one transaction, which is rolled back if it refuses or fails. */
  writes?: boolean;
  /** Honors `Idempotency-Key`. The handler must write, because the answer is stored in its transaction. */
  creates?: boolean;
  /** How long a repeated key gets the stored answer, if less than a day: for an answer that is the only copy of a secret. */
  answerKeptSeconds?: number;
  /**
   * Claims the key before the handler's preparation, which calls an external service that a retry must not charge
   * twice.
   */
  claimsKey?: boolean;
  limit?: LimitName;
  /**
   * The message of the 503 that replaces a 500 for unexpected errors here, because clients treat a 500 differently.
   */
  faultMessage?: MessageDescriptor;
  /** Allowed for staff who haven't set up the required second factor yet. */
  beforeSecondFactor?: boolean;
  /** The handler gets the caller with the whole profile, which costs more to read. */
  loadsProfile?: boolean;
  params?: z.ZodMiniType;
  /** The schema of the query; staff who send an undeclared parameter get 400. */
  query?: z.ZodMiniObject;
  body?: z.ZodMiniType;
  /** The longest body in bytes, if it may be longer than usual. */
  bodyLimit?: number;
  /** A multipart request with one file in the field `file`; `body` then describes the file. */
  uploads?: boolean;
  /** The whole success body, created by `answer`. A stream (CSV) has none. */
  response?: z.ZodMiniType;
  /** The media type of an answer other than JSON. */
  streams?: string;
  errors?: readonly ErrorCode[];
  /**
   * The paths of the answers that a call makes stale in the app. Parameters in the part that both paths begin with have
   * the same values; without any, the answers to every input are stale.
   */
  stale?: readonly string[];
}

type Output<T> = T extends z.ZodMiniType ? z.output<T> : undefined;
type Input<T> = T extends z.ZodMiniType ? z.input<T> : undefined;

export type ParamsOf<E extends EndpointSpec> = Output<E['params']>;
export type QueryOf<E extends EndpointSpec> = Output<E['query']>;
export type BodyOf<E extends EndpointSpec> = Output<E['body']>;
export type ParamsInput<E extends EndpointSpec> = Input<E['params']>;
export type QueryInput<E extends EndpointSpec> = Input<E['query']>;
export type BodyInput<E extends EndpointSpec> = Input<E['body']>;
/** The success body as the caller receives it. */
export type AnswerOf<E extends EndpointSpec> = Output<E['response']>;
/** The success body as the server gives it to the serializer, which writes dates as text. */
export type AnswerInput<E extends EndpointSpec> = Input<E['response']>;

/**
 * Declares one API endpoint: the server mounts it, the web app calls it, and the API description is generated from it.
 */
export function endpoint<const E extends EndpointSpec>(spec: E): E {
  return spec;
}

/** The query parameters of a request that the endpoint doesn't declare. */
export function undeclaredParameters({ query }: EndpointSpec, given: unknown): string[] {
  const declared = query === undefined ? {} : query.shape;
  return Object.keys(given as object).filter((name) => !Object.hasOwn(declared, name));
}

/** The success envelope around the keys of the response (`data`, or the spec's literal keys). */
export function answer<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.object({ success: z.literal(true), message: z.string(), ...shape });
}
