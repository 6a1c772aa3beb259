-- What staff decide cases with.

-- Lists of cases that staff save under a name. Without an owner the team shares them, and they outlive the account of who shared them.
create table case_view (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid references account on delete cascade,
  author_id uuid references account on delete set null,
  name text not null check (char_length(name) between 1 and 40),
  filters jsonb not null,
  created_at timestamptz not null,
  -- A saved list that a colleague has changed in the meantime is not overwritten.
  version int not null default 1,
  -- Lists of users are saved like lists of cases. Each screen has its own names.
  screen text not null default 'cases' check (screen in ('cases', 'users'))
);
create index case_view_author on case_view (author_id) where author_id is not null;
-- Also for deleting an account.
create unique index case_view_name on case_view (owner_id, screen, lower(name collate "und-x-icu")) nulls not distinct;

-- Replies that staff start from. A change adds a version; what was sent keeps its own text.
create table reply_template (
  id uuid primary key default gen_random_uuid(),
  -- The same for all versions of a template.
  template_id uuid not null default gen_random_uuid(),
  version int not null,
  name text not null,
  body text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  -- Also when it was retired.
  replaced_at timestamptz,
  kind text not null default 'reply',
  -- The language in which members read a template. Its name is unique in it.
  language text not null default 'en',
  unique (template_id, version),
  constraint reply_template_kind_check
  check (kind in ('reply', 'message', 'facts', 'answer'))
);
create unique index reply_template_current on reply_template (template_id) where replaced_at is null;
create unique index reply_template_name on reply_template (lower(name collate "und-x-icu"), language) where replaced_at is null;

-- Who is in messages that were copied from the evidence of another report. They are parties to the case with the copy, also once
-- that report has been deleted.
create table evidence_party (
  account_id uuid not null references account on delete cascade,
  evidence_id uuid not null references report_evidence on delete cascade,
  primary key (account_id, evidence_id)
);
create index evidence_party_evidence on evidence_party (evidence_id);

-- Cases retold without names, of which the right decision is known. They are mixed into the second looks.
create table golden_case (
  id uuid primary key default gen_random_uuid(),
  problem_type text not null,
  story text not null,
  outcome text not null,
  -- Empty if no rule was broken.
  clause text not null,
  added_at timestamptz not null,
  added_by uuid not null,
  added_by_name text not null,
  retired_at timestamptz
);

-- Decisions and golden cases that someone judges without knowing the decision or who made it.
create table second_look (
  id uuid primary key default gen_random_uuid(),
  decision_id uuid unique references case_decision on delete cascade,
  golden_id uuid references golden_case on delete cascade,
  drawn_at timestamptz not null,
  -- Who has it, or judged it. Kept without a reference, as the one who decided is.
  reviewer_id uuid,
  taken_at timestamptz,
  judged_at timestamptz,
  outcome text,
  clause text,
  is_agreed boolean,
  constraint second_look_of_one check ((decision_id is null) <> (golden_id is null)),
  constraint second_look_judged check ((judged_at is null) = (outcome is null) and (judged_at is null) = (is_agreed is null))
);
create unique index second_look_golden on second_look (golden_id, reviewer_id) where golden_id is not null;
create index second_look_waiting on second_look (drawn_at, id) where judged_at is null;
create index second_look_judged_at on second_look (judged_at) where judged_at is not null;
-- Finds what a member of staff judges again, which other reads leave out meanwhile.
create index second_look_reviewer on second_look (reviewer_id) where judged_at is null;

-- The decisions with reasons of each day, counted by the roll-up, so that their figures are not counted when they are asked for. An
-- appeal changes the figures of an earlier day, which is then counted again.
create table case_decision_day (
  day date not null,
  -- Empty for decisions that named no rule.
  clause text not null,
  decided_by uuid not null,
  decided int not null,
  appealed int not null,
  overturned int not null,
  -- Those of which the time is known, and the sum of these times.
  timed int not null,
  took_ms bigint not null,
  primary key (day, clause, decided_by)
);

insert into reply_template (version, name, body, created_by, kind) values
  (1, 'We are looking into it', 'Hi {firstName}, thank you for your report of {date}. We are looking into it and will write to you again when we have decided.', 'Heartwood', 'reply'),
  (1, 'Ask for details', 'Hi {firstName}, thank you for your report of {date}. To look into it, we need a little more: what happened, where in the app, and when? You can answer right here.', 'Heartwood', 'reply'),
  (1, 'Explain a rule', 'Hi {firstName}, thank you for writing to us on {date}. This is how we handle it: our rule "{rule}" says what is and is not allowed. If you see it broken again, please report it.', 'Heartwood', 'reply'),
  (1, 'Stay safe', 'Hi {firstName}, thank you for telling us. You can block this person at any time: they are not notified, and you no longer see each other. If you feel threatened, please also contact the police.', 'Heartwood', 'reply'),
  (1, 'Technical problem fixed', 'Hi {firstName}, the problem that you reported on {date} ({type}) is fixed. Please reload the app, and tell us if you still see it.', 'Heartwood', 'reply'),
  (1, 'Messages broke a rule', 'Messages that you sent broke our rule "{rule}". In them, you wrote: ', 'Heartwood', 'facts'),
  (1, 'The profile broke a rule', 'Your profile broke our rule "{rule}". What we found there: ', 'Heartwood', 'facts'),
  (1, 'We acted', 'Hi {firstName}, thank you for your report of {date}. We found that our rule "{rule}" was broken and have acted on it. Please tell us if it happens again.', 'Heartwood', 'answer'),
  (1, 'No rule was broken', 'Hi {firstName}, thank you for your report of {date}. We looked at it carefully and found that our rules were not broken. You can block anyone you would rather not see.', 'Heartwood', 'answer'),
  (1, 'Ask about the profile', 'Hi {firstName}, we have a question about your profile. Could you answer right here? Nothing about your account has changed. We ask: ', 'Heartwood', 'message'),
  (1, 'Check on an account', 'Hi {firstName}, we saw activity on your account that may not be yours. Please choose a new password and sign out your other devices in the settings. Write to us here if you did not do this yourself.', 'Heartwood', 'message'),
  (1, 'News about a payment', 'Hi {firstName}, we are writing about your premium membership. You do not have to do anything: ', 'Heartwood', 'message');

-- The same in the other languages, under the same names, by which staff find them.
insert into reply_template (version, name, kind, language, body, created_by)
  select 1, name, english.kind, given.language, given.body, 'Heartwood'
  from (values
    ('de', 'We are looking into it', 'Hallo {firstName}, danke für deine Meldung vom {date}. Wir sehen uns das an und schreiben dir, sobald wir entschieden haben.'),
    ('de', 'Ask for details', 'Hallo {firstName}, danke für deine Meldung vom {date}. Dafür müssen wir noch etwas mehr wissen: Was ist passiert, wo in der App und wann? Du kannst direkt hier antworten.'),
    ('de', 'Explain a rule', 'Hallo {firstName}, danke für deine Nachricht vom {date}. So gehen wir damit um: In unserer Regel „{rule}“ steht, was erlaubt ist und was nicht. Wenn wieder jemand dagegen verstößt, melde es bitte.'),
    ('de', 'Stay safe', 'Hallo {firstName}, danke, dass du uns das gesagt hast. Du kannst diese Person jederzeit blockieren: Sie erfährt nichts davon, und ihr seht einander nicht mehr. Wenn du dich bedroht fühlst, wende dich bitte auch an die Polizei.'),
    ('de', 'Technical problem fixed', 'Hallo {firstName}, das Problem, das du am {date} gemeldet hast ({type}), ist behoben. Lade die App bitte neu und sag uns, wenn du es noch siehst.'),
    ('de', 'Messages broke a rule', 'Nachrichten, die du geschickt hast, verstoßen gegen unsere Regel „{rule}“. Darin schreibst du: '),
    ('de', 'The profile broke a rule', 'Dein Profil verstößt gegen unsere Regel „{rule}“. Das haben wir dort gefunden: '),
    ('de', 'We acted', 'Hallo {firstName}, danke für deine Meldung vom {date}. Wir haben festgestellt, dass gegen unsere Regel „{rule}“ verstoßen wurde, und gehandelt. Sag uns bitte, wenn es wieder passiert.'),
    ('de', 'No rule was broken', 'Hallo {firstName}, danke für deine Meldung vom {date}. Wir haben sie sorgfältig geprüft und keinen Verstoß gegen unsere Regeln gefunden. Du kannst alle blockieren, die du lieber nicht sehen möchtest.'),
    ('de', 'Ask about the profile', 'Hallo {firstName}, wir haben eine Frage zu deinem Profil. Kannst du direkt hier antworten? An deinem Konto hat sich nichts geändert. Unsere Frage: '),
    ('de', 'Check on an account', 'Hallo {firstName}, wir haben in deinem Konto etwas bemerkt, das vielleicht nicht von dir ist. Wähle bitte ein neues Passwort und melde deine anderen Geräte in den Einstellungen ab. Schreib uns hier, wenn du das nicht selbst warst.'),
    ('de', 'News about a payment', 'Hallo {firstName}, wir schreiben dir wegen deiner Premium-Mitgliedschaft. Du musst nichts tun: '),
    ('es', 'We are looking into it', 'Hola, {firstName}: gracias por tu denuncia del {date}. La estamos revisando y te escribiremos en cuanto hayamos decidido.'),
    ('es', 'Ask for details', 'Hola, {firstName}: gracias por tu denuncia del {date}. Para revisarla necesitamos saber un poco más: ¿qué pasó, en qué parte de la app y cuándo? Puedes responder aquí mismo.'),
    ('es', 'Explain a rule', 'Hola, {firstName}: gracias por escribirnos el {date}. Así lo tratamos: nuestra regla «{rule}» dice qué está permitido y qué no. Si ves que alguien vuelve a incumplirla, denúncialo, por favor.'),
    ('es', 'Stay safe', 'Hola, {firstName}: gracias por contárnoslo. Puedes bloquear a esta persona en cualquier momento: no recibe ningún aviso y ya no se verán el uno al otro. Si te sientes en peligro, acude también a la policía.'),
    ('es', 'Technical problem fixed', 'Hola, {firstName}: el problema que nos contaste el {date} ({type}) está resuelto. Recarga la app y dinos si lo sigues viendo.'),
    ('es', 'Messages broke a rule', 'Los mensajes que enviaste incumplen nuestra regla «{rule}». En ellos escribiste: '),
    ('es', 'The profile broke a rule', 'Tu perfil incumple nuestra regla «{rule}». Esto es lo que encontramos: '),
    ('es', 'We acted', 'Hola, {firstName}: gracias por tu denuncia del {date}. Comprobamos que se incumplió nuestra regla «{rule}» y tomamos medidas. Si vuelve a pasar, avísanos, por favor.'),
    ('es', 'No rule was broken', 'Hola, {firstName}: gracias por tu denuncia del {date}. La revisamos con cuidado y no se incumplió ninguna de nuestras reglas. Puedes bloquear a cualquier persona que prefieras no ver.'),
    ('es', 'Ask about the profile', 'Hola, {firstName}: tenemos una pregunta sobre tu perfil. ¿Puedes responder aquí mismo? Nada ha cambiado en tu cuenta. Nuestra pregunta: '),
    ('es', 'Check on an account', 'Hola, {firstName}: vimos actividad en tu cuenta que quizá no sea tuya. Elige una contraseña nueva y cierra la sesión de tus otros dispositivos en los ajustes. Escríbenos aquí si no fuiste tú.'),
    ('es', 'News about a payment', 'Hola, {firstName}: te escribimos por tu suscripción Premium. No tienes que hacer nada: '),
    ('fr', 'We are looking into it', 'Bonjour {firstName}, merci pour ton signalement du {date}. Nous l’examinons et t’écrirons dès que nous aurons pris une décision.'),
    ('fr', 'Ask for details', 'Bonjour {firstName}, merci pour ton signalement du {date}. Pour l’examiner, il nous faut un peu plus de détails : que s’est-il passé, où dans l’appli et quand ? Tu peux répondre ici.'),
    ('fr', 'Explain a rule', 'Bonjour {firstName}, merci de nous avoir écrit le {date}. Voici comment nous procédons : notre règle « {rule} » dit ce qui est permis et ce qui ne l’est pas. Si tu vois que quelqu’un l’enfreint à nouveau, signale-le, s’il te plaît.'),
    ('fr', 'Stay safe', 'Bonjour {firstName}, merci de nous en avoir parlé. Tu peux bloquer cette personne à tout moment : elle n’en est pas informée et vous ne vous voyez plus. Si tu te sens en danger, contacte aussi la police.'),
    ('fr', 'Technical problem fixed', 'Bonjour {firstName}, le problème que tu as signalé le {date} ({type}) est résolu. Recharge l’appli et dis-nous si tu le vois encore.'),
    ('fr', 'Messages broke a rule', 'Des messages que tu as envoyés enfreignent notre règle « {rule} ». Tu y écris : '),
    ('fr', 'The profile broke a rule', 'Ton profil enfreint notre règle « {rule} ». Voici ce que nous y avons trouvé : '),
    ('fr', 'We acted', 'Bonjour {firstName}, merci pour ton signalement du {date}. Nous avons constaté que notre règle « {rule} » a été enfreinte et nous avons agi. Dis-nous si cela se reproduit.'),
    ('fr', 'No rule was broken', 'Bonjour {firstName}, merci pour ton signalement du {date}. Nous l’avons examiné avec soin : nos règles n’ont pas été enfreintes. Tu peux bloquer toute personne que tu préfères ne pas voir.'),
    ('fr', 'Ask about the profile', 'Bonjour {firstName}, nous avons une question sur ton profil. Peux-tu répondre ici ? Rien n’a changé sur ton compte. Notre question : '),
    ('fr', 'Check on an account', 'Bonjour {firstName}, nous avons vu sur ton compte une activité qui n’est peut-être pas la tienne. Choisis un nouveau mot de passe et déconnecte tes autres appareils dans les réglages. Écris-nous ici si ce n’était pas toi.'),
    ('fr', 'News about a payment', 'Bonjour {firstName}, nous t’écrivons au sujet de ton abonnement Premium. Tu n’as rien à faire : '),
    ('pl', 'We are looking into it', 'Cześć, {firstName}! Dziękujemy za zgłoszenie z {date}. Sprawdzamy je i napiszemy, gdy podejmiemy decyzję.'),
    ('pl', 'Ask for details', 'Cześć, {firstName}! Dziękujemy za zgłoszenie z {date}. Żeby je sprawdzić, musimy wiedzieć trochę więcej: co się stało, gdzie w aplikacji i kiedy? Możesz odpowiedzieć tutaj.'),
    ('pl', 'Explain a rule', 'Cześć, {firstName}! Dziękujemy za wiadomość z {date}. Postępujemy tak: nasza zasada „{rule}” mówi, co wolno, a czego nie. Jeśli ktoś znów ją złamie, zgłoś to, proszę.'),
    ('pl', 'Stay safe', 'Cześć, {firstName}! Dziękujemy, że o tym piszesz. Możesz w każdej chwili zablokować tę osobę: nie dowie się o tym i przestaniecie się widzieć. Jeśli czujesz zagrożenie, zgłoś się też na policję.'),
    ('pl', 'Technical problem fixed', 'Cześć, {firstName}! Problem zgłoszony {date} ({type}) jest naprawiony. Odśwież aplikację i daj znać, jeśli nadal go widzisz.'),
    ('pl', 'Messages broke a rule', 'Twoje wiadomości łamią naszą zasadę „{rule}”. Piszesz w nich: '),
    ('pl', 'The profile broke a rule', 'Twój profil łamie naszą zasadę „{rule}”. Oto, co na nim jest: '),
    ('pl', 'We acted', 'Cześć, {firstName}! Dziękujemy za zgłoszenie z {date}. Nasza zasada „{rule}” została złamana i zareagowaliśmy. Daj znać, jeśli to się powtórzy.'),
    ('pl', 'No rule was broken', 'Cześć, {firstName}! Dziękujemy za zgłoszenie z {date}. Sprawdziliśmy je dokładnie: nasze zasady nie zostały złamane. Możesz zablokować każdego, kogo wolisz nie widzieć.'),
    ('pl', 'Ask about the profile', 'Cześć, {firstName}! Mamy pytanie o Twój profil. Czy możesz odpowiedzieć tutaj? Na Twoim koncie nic się nie zmieniło. Pytamy: '),
    ('pl', 'Check on an account', 'Cześć, {firstName}! Na Twoim koncie jest aktywność, która może nie być Twoja. Ustaw nowe hasło i wyloguj inne urządzenia w ustawieniach. Jeśli to nie Ty, napisz do nas tutaj.'),
    ('pl', 'News about a payment', 'Cześć, {firstName}! Piszemy w sprawie Twojego członkostwa Premium. Nie musisz nic robić: '),
    ('pt-BR', 'We are looking into it', 'Oi, {firstName}! Agradecemos o seu relato de {date}. Estamos analisando e vamos escrever de novo quando decidirmos.'),
    ('pt-BR', 'Ask for details', 'Oi, {firstName}! Agradecemos o seu relato de {date}. Para analisar, precisamos saber um pouco mais: o que aconteceu, em que parte do app e quando? Você pode responder aqui mesmo.'),
    ('pt-BR', 'Explain a rule', 'Oi, {firstName}! Agradecemos a sua mensagem de {date}. Funciona assim: a nossa regra “{rule}” diz o que pode e o que não pode. Se você vir alguém descumprindo de novo, denuncie, por favor.'),
    ('pt-BR', 'Stay safe', 'Oi, {firstName}! Agradecemos por contar. Você pode bloquear essa pessoa quando quiser: ela não fica sabendo e vocês deixam de se ver. Se você se sentir em perigo, procure também a polícia.'),
    ('pt-BR', 'Technical problem fixed', 'Oi, {firstName}! O problema que você relatou em {date} ({type}) foi resolvido. Recarregue o app e avise a gente se ele continuar.'),
    ('pt-BR', 'Messages broke a rule', 'Mensagens que você enviou descumprem a nossa regra “{rule}”. Nelas, você escreveu: '),
    ('pt-BR', 'The profile broke a rule', 'Seu perfil descumpre a nossa regra “{rule}”. Foi isto que encontramos: '),
    ('pt-BR', 'We acted', 'Oi, {firstName}! Agradecemos o seu relato de {date}. Vimos que a nossa regra “{rule}” foi descumprida e tomamos providências. Avise a gente se acontecer de novo.'),
    ('pt-BR', 'No rule was broken', 'Oi, {firstName}! Agradecemos o seu relato de {date}. Analisamos com cuidado e nenhuma das nossas regras foi descumprida. Você pode bloquear quem preferir não ver.'),
    ('pt-BR', 'Ask about the profile', 'Oi, {firstName}! Temos uma pergunta sobre o seu perfil. Você pode responder aqui mesmo? Nada mudou na sua conta. A pergunta: '),
    ('pt-BR', 'Check on an account', 'Oi, {firstName}! Vimos na sua conta uma atividade que talvez não seja sua. Escolha uma senha nova e desconecte seus outros aparelhos nas configurações. Se não foi você, escreva aqui.'),
    ('pt-BR', 'News about a payment', 'Oi, {firstName}! Estamos escrevendo sobre a sua assinatura Premium. Você não precisa fazer nada: '),
    ('tr', 'We are looking into it', 'Merhaba {firstName}, {date} tarihli şikâyetin için teşekkürler. İnceliyoruz; karar verince sana yeniden yazacağız.'),
    ('tr', 'Ask for details', 'Merhaba {firstName}, {date} tarihli şikâyetin için teşekkürler. İncelemek için biraz daha bilgi gerekiyor: Ne oldu, uygulamanın neresinde ve ne zaman? Buradan yanıtlayabilirsin.'),
    ('tr', 'Explain a rule', 'Merhaba {firstName}, {date} tarihinde bize yazdığın için teşekkürler. Şöyle yapıyoruz: “{rule}” kuralımız neyin serbest, neyin yasak olduğunu söyler. Yine ihlal edildiğini görürsen lütfen şikâyet et.'),
    ('tr', 'Stay safe', 'Merhaba {firstName}, bize söylediğin için teşekkürler. Bu kişiyi istediğin zaman engelleyebilirsin: Haberi olmaz ve artık birbirinizi görmezsiniz. Tehdit altında hissediyorsan lütfen polise de başvur.'),
    ('tr', 'Technical problem fixed', 'Merhaba {firstName}, {date} tarihinde bildirdiğin sorun ({type}) çözüldü. Uygulamayı yenile; hâlâ görüyorsan bize söyle.'),
    ('tr', 'Messages broke a rule', 'Gönderdiğin mesajlar “{rule}” kuralımıza aykırı. Şöyle yazdın: '),
    ('tr', 'The profile broke a rule', 'Profilin “{rule}” kuralımıza aykırı. Orada bulduğumuz: '),
    ('tr', 'We acted', 'Merhaba {firstName}, {date} tarihli şikâyetin için teşekkürler. “{rule}” kuralımızın ihlal edildiğini gördük ve gereğini yaptık. Yine olursa lütfen bize söyle.'),
    ('tr', 'No rule was broken', 'Merhaba {firstName}, {date} tarihli şikâyetin için teşekkürler. Dikkatle inceledik; kurallarımız ihlal edilmemiş. Görmek istemediğin herkesi engelleyebilirsin.'),
    ('tr', 'Ask about the profile', 'Merhaba {firstName}, profilin hakkında bir sorumuz var. Buradan yanıtlayabilir misin? Hesabında hiçbir şey değişmedi. Sorumuz: '),
    ('tr', 'Check on an account', 'Merhaba {firstName}, hesabında sana ait olmayabilecek bir hareket gördük. Lütfen yeni bir şifre seç ve ayarlardan diğer cihazlarının oturumunu kapat. Bunu yapan sen değilsen buradan bize yaz.'),
    ('tr', 'News about a payment', 'Merhaba {firstName}, Premium üyeliğin hakkında yazıyoruz. Bir şey yapman gerekmiyor: '),
    ('ar', 'We are looking into it', 'مرحبًا {firstName}، شكرًا على بلاغك بتاريخ {date}. نحن ننظر فيه وسنكتب إليك حين نتخذ قرارًا.'),
    ('ar', 'Ask for details', 'مرحبًا {firstName}، شكرًا على بلاغك بتاريخ {date}. للنظر فيه نحتاج إلى معرفة المزيد: ماذا حدث، وأين في التطبيق، ومتى؟ يمكنك الرد هنا مباشرة.'),
    ('ar', 'Explain a rule', 'مرحبًا {firstName}، شكرًا على رسالتك بتاريخ {date}. نتعامل مع الأمر هكذا: قاعدتنا «{rule}» تبيّن المسموح والممنوع. إذا رأيت من يخالفها مجددًا، فنرجو الإبلاغ عنه.'),
    ('ar', 'Stay safe', 'مرحبًا {firstName}، شكرًا على إخبارنا. يمكنك حظر هذا الشخص في أي وقت: لن يصله أي إشعار ولن يرى أحدكما الآخر بعد ذلك. وإذا شعرت بالتهديد، فنرجو الاتصال بالشرطة أيضًا.'),
    ('ar', 'Technical problem fixed', 'مرحبًا {firstName}، تم إصلاح المشكلة التي وصلنا بلاغك عنها بتاريخ {date} ({type}). نرجو إعادة تحميل التطبيق وإخبارنا إن استمرت.'),
    ('ar', 'Messages broke a rule', 'رسائل وصلت من حسابك تخالف قاعدتنا «{rule}». مما جاء فيها: '),
    ('ar', 'The profile broke a rule', 'ملفك الشخصي يخالف قاعدتنا «{rule}». هذا ما وجدناه فيه: '),
    ('ar', 'We acted', 'مرحبًا {firstName}، شكرًا على بلاغك بتاريخ {date}. وجدنا مخالفة لقاعدتنا «{rule}» واتخذنا إجراءً. نرجو إخبارنا إن تكرر ذلك.'),
    ('ar', 'No rule was broken', 'مرحبًا {firstName}، شكرًا على بلاغك بتاريخ {date}. نظرنا فيه بعناية ولم نجد مخالفة لقواعدنا. يمكنك حظر أي شخص لا ترغب في رؤيته.'),
    ('ar', 'Ask about the profile', 'مرحبًا {firstName}، لدينا سؤال عن ملفك الشخصي. هل يمكنك الرد هنا مباشرة؟ لم يتغير شيء في حسابك. سؤالنا: '),
    ('ar', 'Check on an account', 'مرحبًا {firstName}، لاحظنا في حسابك نشاطًا قد لا يكون منك. نرجو اختيار كلمة مرور جديدة وتسجيل خروج أجهزتك الأخرى من الإعدادات. وإن لم يكن ذلك منك، فاكتب إلينا هنا.'),
    ('ar', 'News about a payment', 'مرحبًا {firstName}، نكتب إليك بشأن اشتراكك في Premium. لا يلزمك فعل أي شيء: ')
  ) given (language, name, body)
  join reply_template english using (name)
  where english.language = 'en' and english.replaced_at is null
on conflict do nothing;
