-- no transaction
-- What staff filter the list of users by. Members search people who are shown only, for whom there are smaller indexes.
drop index concurrently if exists directory_city;
create index concurrently directory_city on directory (city) where city is not null;
drop index concurrently if exists directory_country;
create index concurrently directory_country on directory (country, gender, birth_date) where country is not null;
drop index concurrently if exists directory_gender;
create index concurrently directory_gender on directory (gender, birth_date);
drop index concurrently if exists directory_birth;
create index concurrently directory_birth on directory (birth_date);
drop index concurrently if exists directory_incomplete;
create index concurrently directory_incomplete on directory (created_at desc, account_id desc) where not is_complete;
drop index concurrently if exists profile_paused;
create index concurrently profile_paused on profile (account_id) where paused_at is not null;
drop index concurrently if exists subscription_ends;
create index concurrently subscription_ends on subscription (paid_through, plan, account_id)
  where status in ('trialing', 'active', 'past_due', 'unpaid', 'paused');
drop index concurrently if exists sanction_live;
create index concurrently sanction_live on sanction (account_id) where ended_at is null and revoked_at is null and account_id is not null;
drop index concurrently if exists moderation_case_open_person;
create index concurrently moderation_case_open_person on moderation_case (person_id) where stage <> 'decided' and person_id is not null;
