-- What one person may not do alone, and who of the others approved it.
create table approval (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  payload jsonb not null,
  requested_by uuid not null references account on delete cascade,
  requested_by_name text not null,
  reason text not null,
  requested_at timestamptz not null,
  -- From when on it can be used; without a second person that is a day later.
  usable_from timestamptz,
  decided_by uuid references account on delete set null,
  decided_by_name text,
  decided_at timestamptz,
  decision_reason text,
  verdict text check (verdict in ('approved', 'rejected')),
  used_at timestamptz,
  constraint approval_by_another check (decided_by <> requested_by),
  constraint approval_decided check ((verdict is null) = (decided_at is null)),
  constraint approval_used check (used_at is null or (usable_from <= used_at and verdict is distinct from 'rejected'))
);
create index approval_requested_at on approval (requested_at desc, id);
create index approval_requested_by on approval (requested_by);
create index approval_decided_by on approval (decided_by) where decided_by is not null;
