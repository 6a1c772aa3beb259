-- Texts that the owner published in place of the product's own, by language; without a language, the product's own again.
create table published_text (
  kind text not null constraint published_text_kind_check check (kind in ('faq', 'privacy', 'terms', 'safety')),
  version text collate "C" not null,
  language text,
  bodies jsonb not null,
  asks_again boolean not null,
  published_at timestamptz not null,
  -- The name stays when the account is deleted.
  published_by text not null,
  primary key (kind, version)
);
