import type { NameLists } from './name-lists.ts';

export const eastOfEurope = {
  polish: {
    women: 'Agnieszka, Aleksandra, Bożena, Dorota, Ewa, Grażyna, Jadwiga, Kinga, Małgorzata, Natalia, Wiktoria, Zofia',
    men: 'Bartosz, Grzegorz, Jacek, Kacper, Łukasz, Marek, Michał, Paweł, Rafał, Stanisław, Tomasz, Wojciech',
    families:
      'Dąbrowski/Dąbrowska, Jankowski/Jankowska, Kamiński/Kamińska, Kowalski/Kowalska, Mazur, Nowak, Pawlak, Sikora, Szymański/Szymańska, Wójcik, Wróbel, Zieliński/Zielińska',
  },
  czech: {
    women: 'Alžběta, Barbora, Eliška, Jitka, Kateřina, Lenka, Markéta, Tereza, Veronika, Zuzana',
    men: 'Dominik, František, Jakub, Jiří, Matěj, Ondřej, Radek, Tomáš, Vojtěch, Zdeněk',
    families:
      'Novák/Nováková, Svoboda/Svobodová, Dvořák/Dvořáková, Černý/Černá, Procházka/Procházková, Kučera/Kučerová, Horák/Horáková, Kováč/Kováčová',
  },
  hungarian: {
    women: 'Ágnes, Boglárka, Dóra, Eszter, Gyöngyi, Ilona, Katalin, Réka, Zsófia, Zsuzsanna',
    men: 'András, Balázs, Bence, Csaba, Gergő, István, László, Márton, Zoltán, Zsolt',
    families: 'Balogh, Farkas, Fehér, Horváth, Kiss, Kovács, Nagy, Szabó, Szűcs, Tóth, Varga',
  },
  romanian: {
    women: 'Adriana, Andreea, Corina, Daria, Ioana, Luminița, Mihaela, Raluca, Ștefania, Teodora',
    men: 'Andrei, Bogdan, Ciprian, Doru, Ionuț, Mihai, Radu, Răzvan, Ștefan, Vlad',
    families: 'Bălan, Constantinescu, Dumitrescu, Ionescu, Lupu, Moldovan, Munteanu, Popescu, Rusu, Țurcanu',
  },
  southSlavic: {
    women: 'Ana, Dragana, Ivana, Jasna, Jelena, Lejla, Milica, Nataša, Snežana, Tijana, Željka, Špela',
    men: 'Bojan, Dejan, Goran, Hrvoje, Jovan, Luka, Marko, Miloš, Nenad, Tarik, Vuk, Žiga',
    families:
      'Babić, Đorđević, Hadžić, Horvat, Jovanović, Kovačević, Krajnc, Marković, Novak, Petrović, Stanković, Živković',
  },
  bulgarian: {
    women: 'Биляна=Bilyana, Десислава=Desislava, Елица=Elitsa, Мария=Maria, Надежда=Nadezhda, Радостина=Radostina',
    men: 'Борислав=Borislav, Георги=Georgi, Димитър=Dimitar, Иван=Ivan, Николай=Nikolay, Стоян=Stoyan',
    families:
      'Димитров=Dimitrov/Димитрова=Dimitrova, Иванов=Ivanov/Иванова=Ivanova, Петров=Petrov/Петрова=Petrova, Тодоров=Todorov/Тодорова=Todorova',
  },
  macedonian: {
    women: 'Бисера=Bisera, Весна=Vesna, Снежана=Snezhana, Јована=Jovana',
    men: 'Александар=Aleksandar, Ѓорѓи=Gjorgji, Кире=Kire, Љупчо=Ljupcho',
    families:
      'Николовски=Nikolovski/Николовска=Nikolovska, Стојановски=Stojanovski/Стојановска=Stojanovska, Трајковски=Trajkovski/Трајковска=Trajkovska',
  },
  albanian: {
    women: 'Anila, Besa, Drita, Elira, Mirela, Rovena',
    men: 'Agron, Besnik, Dritan, Ermal, Ilir, Gëzim',
    families: 'Berisha, Çela, Dervishi, Gjoka, Hoxha, Krasniqi',
  },
  greek: {
    women:
      'Αγγελική=Angeliki, Βασιλική=Vasiliki, Δήμητρα=Dimitra, Ελένη=Eleni, Ιωάννα=Ioanna, Κατερίνα=Katerina, Μυρτώ=Myrto, Χριστίνα=Christina',
    men: 'Αλέξανδρος=Alexandros, Γιάννης=Giannis, Δημήτρης=Dimitris, Θανάσης=Thanasis, Κώστας=Kostas, Νίκος=Nikos, Παναγιώτης=Panagiotis, Σπύρος=Spyros',
    families:
      'Παπαδόπουλος=Papadopoulos/Παπαδοπούλου=Papadopoulou, Αντωνίου=Antoniou, Γεωργίου=Georgiou, Ιωαννίδης=Ioannidis/Ιωαννίδου=Ioannidou, Καραγιάννης=Karagiannis/Καραγιάννη=Karagianni, Νικολαΐδης=Nikolaidis/Νικολαΐδου=Nikolaidou, Οικονόμου=Oikonomou',
  },
  russian: {
    women:
      'Алина=Alina, Вера=Vera, Дарья=Darya, Екатерина=Ekaterina, Жанна=Zhanna, Ирина=Irina, Ксения=Ksenia, Людмила=Lyudmila, Наталья=Natalya, Ольга=Olga, Светлана=Svetlana, Юлия=Yulia',
    men: 'Алексей=Alexey, Борис=Boris, Владимир=Vladimir, Григорий=Grigory, Дмитрий=Dmitry, Егор=Egor, Илья=Ilya, Кирилл=Kirill, Максим=Maxim, Никита=Nikita, Роман=Roman, Фёдор=Fyodor',
    families:
      'Белов=Belov/Белова=Belova, Волков=Volkov/Волкова=Volkova, Голубев=Golubev/Голубева=Golubeva, Зайцев=Zaytsev/Зайцева=Zaytseva, Кузнецов=Kuznetsov/Кузнецова=Kuznetsova, Лебедев=Lebedev/Лебедева=Lebedeva, Морозов=Morozov/Морозова=Morozova, Соколов=Sokolov/Соколова=Sokolova, Щукин=Shchukin/Щукина=Shchukina',
  },
  ukrainian: {
    women:
      'Богдана=Bohdana, Ганна=Hanna, Дарина=Daryna, Зоряна=Zoriana, Леся=Lesia, Мар’яна=Mariana, Оксана=Oksana, Соломія=Solomiia, Тетяна=Tetiana',
    men: 'Андрій=Andrii, Богдан=Bohdan, Данило=Danylo, Ігор=Ihor, Назар=Nazar, Олексій=Oleksii, Остап=Ostap, Сергій=Serhii, Тарас=Taras',
    families:
      'Бондаренко=Bondarenko, Гончар=Honchar, Коваленко=Kovalenko, Кравчук=Kravchuk, Мельник=Melnyk, Шевчук=Shevchuk, Ткаченко=Tkachenko, Поліщук=Polishchuk',
  },
  baltic: {
    women: 'Agnė, Eglė, Ieva, Kristiina, Līga, Liis, Rasa, Ramunė, Zane, Ülle',
    men: 'Aivars, Darius, Jānis, Kęstutis, Märt, Mindaugas, Raivis, Tõnu, Vytautas, Ülo',
    families:
      'Bērziņš/Bērziņa, Kazlauskas/Kazlauskienė, Kalniņš/Kalniņa, Kask, Ozols/Ozola, Petrauskas/Petrauskaitė, Saar, Tamm',
  },
  turkish: {
    women: 'Aslı, Ayşe, Başak, Ceren, Çiğdem, Defne, Elif, Gülşen, İpek, Özlem, Şebnem, Zeynep',
    men: 'Ahmet, Barış, Burak, Cem, Çağlar, Emre, Hakan, İlker, Kerem, Oğuz, Ömer, Umut',
    families: 'Aksoy, Arslan, Aydın, Çelik, Demir, Doğan, Güneş, Kılıç, Öztürk, Şahin, Yıldız, Yılmaz',
  },
  azerbaijani: {
    women: 'Aysel, Gülnar, Leyla, Nərmin, Sevinc, Ülviyyə',
    men: 'Elçin, Fərid, İlqar, Murad, Rəşad, Tural',
    families: 'Əliyev/Əliyeva, Hüseynov/Hüseynova, Məmmədov/Məmmədova, Quliyev/Quliyeva',
  },
  georgian: {
    women: 'ანა=Ana, ეკა=Eka, თამარ=Tamar, ლია=Lia, მარიამ=Mariam, ნინო=Nino',
    men: 'გიორგი=Giorgi, დავით=Davit, ირაკლი=Irakli, ლაშა=Lasha, ნიკა=Nika, ზურაბ=Zurab',
    families: 'ბერიძე=Beridze, გელაშვილი=Gelashvili, კაპანაძე=Kapanadze, ლომიძე=Lomidze, მაისურაძე=Maisuradze',
  },
  armenian: {
    women: 'Անահիտ=Anahit, Արփինե=Arpine, Գոհար=Gohar, Լուսինե=Lusine, Նարե=Nare',
    men: 'Արամ=Aram, Գարիկ=Garik, Հայկ=Hayk, Տիգրան=Tigran, Վահե=Vahe',
    families: 'Գրիգորյան=Grigoryan, Հակոբյան=Hakobyan, Պետրոսյան=Petrosyan, Սարգսյան=Sargsyan',
  },
  kazakh: {
    women: 'Айгүл=Aigul, Айсұлу=Aisulu, Динара=Dinara, Жанар=Zhanar, Сәуле=Saule',
    men: 'Арман=Arman, Бауыржан=Baurzhan, Ерлан=Yerlan, Нұрлан=Nurlan, Тимур=Timur',
    families:
      'Ахметов=Akhmetov/Ахметова=Akhmetova, Есенов=Yessenov/Есенова=Yessenova, Нұрғалиев=Nurgaliyev/Нұрғалиева=Nurgaliyeva',
  },
  uzbek: {
    women: "Dilnoza, Feruza, Gulnora, Nilufar, Ra'no, Zulfiya",
    men: "Bobur, Jasur, Otabek, Rustam, Sherzod, Ulug'bek",
    families: "Karimov/Karimova, Rahimov/Rahimova, To'rayev/To'rayeva, Yusupov/Yusupova",
  },
} satisfies Record<string, NameLists>;
