import type { NameLists } from './name-lists.ts';

export const northAndWest = {
  english: {
    women:
      'Alice, Beatrice, Charlotte, Daisy, Eleanor, Freya, Georgia, Harriet, Imogen, Jasmine, Lucy, Matilda, Nell, Olive, Phoebe, Rosie, Sophie, Tessa, Willow, Zoë, Abigail, Brooke, Hazel, Joanne, Karen, Mary-Ann, Savannah, Tiffany',
    men: 'Adam, Ben, Callum, Daniel, Edward, Finley, George, Harry, Isaac, Jack, Leo, Marcus, Nathan, Oliver, Patrick, Reuben, Samuel, Theo, Will, Zachary, Bradley, Cody, Dwayne, Keith, Mason, Tyler, Wesley, Russell',
    families:
      'Ashworth, Barnes, Carter, Davies, Ellison, Fletcher, Green, Hughes, Ingram, Johnson, Knight, Lambert, Mitchell, Newton, Palmer, Reed, Shaw, Turner, Walker, Young, Baker, Brooks, Campbell, Hayes, Jefferson, Parker, Sanders, Whitfield, Fox, Marsh',
  },
  irish: {
    women:
      'Aoife, Bríd, Ciara, Deirdre, Éabha, Fionnuala, Gráinne, Maeve, Niamh, Orla, Róisín, Saoirse, Siobhán, Sinéad',
    men: 'Aidan, Cathal, Conor, Declan, Eoin, Fergus, Liam, Naoise, Oisín, Pádraig, Rory, Seán, Tadhg, Ciarán',
    families:
      "O'Brien, O'Connor, O'Neill, O'Shea, Byrne, Doyle, Fitzgerald, Gallagher, Kelly, Lynch, McCarthy, Murphy, Nolan, Ryan, Walsh, Ní Dhomhnaill",
  },
  french: {
    women:
      'Amélie, Camille, Chloé, Clémence, Élise, Fanny, Inès, Jeanne, Léa, Louise, Manon, Marie-Claire, Noémie, Océane, Sidonie, Zélie, Anne-Sophie, Maëlle',
    men: 'Antoine, Baptiste, Clément, Étienne, François, Gaël, Hugo, Jean-Pierre, Jérôme, Loïc, Mathis, Olivier, Rémi, Théo, Yann, Jean-Luc, Noël, Thibault',
    families:
      'Aubert, Bernard, Chevalier, Dubois, Dupuis, Faure, Garnier, Girard, Lefèvre, Leroy, Marchand, Moreau, Petit, Renaud, Rousseau, Vasseur, de la Tour, Beaulieu, Tremblay, Gagné',
  },
  german: {
    women:
      'Anneliese, Bettina, Carla, Elke, Frieda, Greta, Hannah, Ilse, Jule, Käthe, Lena, Mathilda, Nadja, Paula, Romy, Sabine, Ursula, Wiebke',
    men: 'Anton, Bernd, Christoph, Emil, Florian, Günther, Henrik, Jakob, Karl-Heinz, Lukas, Matthias, Moritz, Niklas, Paul, Rüdiger, Sebastian, Till, Uwe',
    families:
      'Bauer, Becker, Brandt, Fischer, Groß, Hoffmann, Huber, Jäger, Keller, Krämer, Lehmann, Möller, Neumann, Richter, Schäfer, Schneider, Vogel, Weiß, Zimmermann, von Arnim',
  },
  dutch: {
    women: 'Anouk, Femke, Fleur, Hanneke, Janneke, Lotte, Maartje, Nienke, Roos, Sanne, Saskia, Tess',
    men: 'Bas, Daan, Gijs, Jeroen, Joost, Koen, Lars, Maarten, Niels, Pieter, Sjoerd, Willem',
    families:
      "Bakker, van den Berg, Bosch, van Dijk, Hendriks, de Jong, Kuiper, Mulder, van 't Hof, Peeters, Smit, Visser, de Vries, Willems, Claes",
  },
  swedish: {
    women: 'Åsa, Ebba, Elsa, Frida, Hedvig, Kajsa, Linnéa, Maja, Siv, Tuva',
    men: 'Anders, Åke, Erik, Gustav, Lasse, Magnus, Nils, Oskar, Viggo, Örjan',
    families: 'Andersson, Bergström, Ekström, Hallberg, Lindqvist, Lund, Nyström, Sjöberg, Wallin, Åkerlund',
  },
  daneAndNorwegian: {
    women: 'Astrid, Birgitte, Ingrid, Kirsten, Liv, Marit, Ragnhild, Sigrid, Signe, Solveig',
    men: 'Bjørn, Håkon, Jens, Kåre, Lars, Rasmus, Sindre, Søren, Thorbjørn, Øyvind',
    families: 'Dahl, Eriksen, Hagen, Holm, Jørgensen, Kjær, Nygård, Østergaard, Rasmussen, Sørensen',
  },
  icelandic: {
    women: 'Björk, Guðrún, Hildur, Katrín, Sólveig, Þórdís',
    men: 'Arnar, Einar, Gunnar, Jón, Sigurður, Þorsteinn',
    families: 'Einarsson/Einarsdóttir, Gunnarsson/Gunnarsdóttir, Jónsson/Jónsdóttir, Stefánsson/Stefánsdóttir',
  },
  finnish: {
    women: 'Aino, Eeva, Helmi, Kaisa, Leena, Minna, Päivi, Riikka, Saara, Tuuli',
    men: 'Aleksi, Eero, Heikki, Jukka, Kalle, Mikko, Olli, Pekka, Tapio, Väinö',
    families: 'Hämäläinen, Heikkinen, Järvinen, Koskinen, Laine, Mäkelä, Nieminen, Rantanen, Salo, Virtanen',
  },
  spanish: {
    women:
      'Alba, Begoña, Candela, Catalina, Daniela, Esperanza, Gabriela, Inés, Jimena, Lucía, Marisol, Martina, Noelia, Paloma, Rocío, Sofía, Valentina, Ximena, Yolanda, María José',
    men: 'Alejandro, Álvaro, Andrés, Bruno, César, Diego, Emiliano, Gonzalo, Ignacio, Joaquín, Julián, Mateo, Nicolás, Óscar, Rafael, Santiago, Sebastián, Tomás, José María, Íñigo',
    families:
      'Aguilar, Cárdenas, Castro, Domínguez, Fernández, Fuentes, García, Herrera, Ibáñez, López, Mendoza, Muñoz, Núñez, Ortega, Peña, Quiroga, Ramírez, Salazar, Vargas, Zamora',
  },
  portuguese: {
    women:
      'Ana Clara, Beatriz, Bruna, Carolina, Conceição, Fernanda, Iara, Joana, Larissa, Letícia, Luísa, Mafalda, Raquel, Tainá, Thaís, Vitória',
    men: 'Afonso, Caio, Davi, Diogo, Fábio, Gustavo, Heitor, João, João Pedro, Luís, Murilo, Nuno, Otávio, Rui, Thiago, Vinícius',
    families:
      'Almeida, Araújo, Barbosa, Carvalho, Coelho, da Silva, dos Santos, Ferreira, Gonçalves, Lima, Magalhães, Moreira, Nogueira, Oliveira, Pereira, Queiroz, Ribeiro, Simões',
  },
  italian: {
    women:
      'Alessia, Bianca, Chiara, Elisa, Federica, Ginevra, Giulia, Ludovica, Marta, Nicoletta, Ornella, Serena, Silvia, Viola',
    men: 'Alessandro, Dario, Edoardo, Fabrizio, Giacomo, Lorenzo, Luca, Matteo, Niccolò, Pietro, Riccardo, Stefano, Tommaso, Vito',
    families:
      "Amato, Barbieri, Bianchi, Colombo, Conti, D'Angelo, De Luca, Esposito, Ferrara, Gallo, Greco, Marchetti, Moretti, Pellegrini, Romano, Santoro, Villa",
  },
  maltese: {
    women: 'Graziella, Kristina, Marija, Żeża',
    men: 'Ġorġ, Karmenu, Mikiel, Żaren',
    families: 'Borg, Camilleri, Ħabib, Spiteri, Zammit',
  },
} satisfies Record<string, NameLists>;
